import { writeSync } from "node:fs";

const chunk = Buffer.alloc(65536, "e");
for (let count = 0; count < 320; count += 1) {
  let offset = 0;
  while (offset < chunk.length) {
    try {
      offset += writeSync(2, chunk, offset);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}
console.log("done");
