import { describe, expect, it } from "vitest";
import { type ClaimOptions, createClaimScanner } from "./claim-scanner.ts";

const tag = "<promise>DONE</promise>";

function judge(text: string | string[], placement: ClaimOptions["placement"] = "own-sentence"): string {
  const scanner = createClaimScanner({ expected: "DONE", placement, signals: ["promise", "response"] });
  const messages = typeof text === "string" ? [text] : text;
  messages.forEach((message, index) => scanner.text(message, `message ${index}`));
  const { isPromised, isMentioned, ...others } = scanner.report();
  if (Object.values(others).some((value) => value !== null) || (isPromised && isMentioned)) return "other";
  if (isPromised) return "claim";
  return isMentioned ? "mention" : "nothing";
}

describe("own-sentence, the default placement (S0-16, S0-17, R-13)", () => {
  it.each([
    tag,
    `  ${tag}  `,
    `All done. ${tag}`,
    `All done.${tag}`,
    `Really! ${tag}`,
    `Is it done? ${tag}`,
    `完成。${tag}`,
    `完成！ ${tag}`,
    `完成？${tag}`,
    `All tests pass ✅ ${tag}`,
    `All tests pass ❤️ ${tag}`,
    `All tests pass 👩🏽‍💻 ${tag}`,
    `Status: ${tag}`,
    `Status:${tag}`,
    `**Status:** ${tag}`,
    `**Status**: ${tag}`,
    `Final test status: ${tag}`,
    `- Final status: ${tag}`,
    `2. Status: **${tag}**`,
    `状态：${tag}`,
    `- ${tag}`,
    `* ${tag}`,
    `+ ${tag}`,
    `1. ${tag}`,
    `12) ${tag}`,
    `- [x] ${tag}`,
    `## ${tag}`,
    `**${tag}**`,
    `__${tag}__`,
    `- **All done.** ${tag}`,
    `It says "done." ${tag}`,
    `Ran \`make test\`. ${tag}`,
    `Done (all of it.) ${tag}`,
    `${tag}.`,
    `${tag} 🎉`,
    `${tag} !!! ---`,
    `\`${tag}\``,
    `**\`${tag}\`**`,
    `\`\`\`${tag}\`\`\``,
    `Everything is built.\n\n${tag}\n\nThe report follows.`,
    `${"word ".repeat(400)}end. ${tag}`,
  ])("claims: %j", (text) => expect(judge(text)).toBe("claim"));

  it.each([
    `I will not output ${tag} yet`,
    `I will not output ${tag}`,
    `When done I will print: ${tag}`,
    `All good. The last step is: ${tag}`,
    `当我完成时我会打印：${tag}`,
    `the tag is \`${tag}\``,
    `All done. \`${tag}\``,
    `Status: \`${tag}\``,
    `\`All done. ${tag}\``,
    `All done. ${tag}\``,
    `- [ ] ${tag}`,
    `| ${tag} |`,
    `| Status | ${tag} |`,
    `| Done. | ${tag}`,
    `Done. | ${tag}`,
    `${tag} | ok`,
    `"${tag}"`,
    `'${tag}'`,
    `“${tag}”`,
    `Say "All done. ${tag}"`,
    `He wrote “All done. ${tag}`,
    `Er schrieb „Fertig. ${tag}`,
    `« Fini. ${tag}`,
    `「完成。${tag}`,
    `All done. '${tag}'`,
    `> ${tag}`,
    `> All done. ${tag}`,
    `- > ${tag}`,
    `<!-- ${tag} -->`,
    `<!-- ${tag}\n-->`,
    `~~${tag}~~`,
    `(${tag})`,
    `${tag} is what I print at the end`,
    `Print a tag, e.g. ${tag}`,
    `not ${tag}. Later.`,
    `Trademark™ ${tag}`,
    `"Status": ${tag}`,
  ])("does not claim, but mentions: %j", (text) => expect(judge(text)).toBe("mention"));

  it.each([
    ["DONE", "bare text (R-03)"],
    ["promise: DONE", "text that talks of a promise"],
    ["The task is done. All tasks completed. I am finished.", "prose (R-15)"],
    ["<promise></promise>\n<promise> \n </promise>", "an empty tag"],
    ["<promise>DONE", "an open tag"],
    ["DONE</promise>", "a closing tag"],
    ["<promises>DONE</promises>", "another tag's name"],
    ["<promise>DONE</response>", "tags of two kinds"],
    ["", "no text"],
  ])("finds nothing in %j: %s", (text) => expect(judge(text)).toBe("nothing"));
});

describe("fences and lines", () => {
  it.each([
    `\`\`\`\n${tag}\n\`\`\``,
    `\`\`\`text\n\n  ${tag}\n\n\`\`\`\n`,
    `~~~\n${tag}\n~~~`,
    `Result:\n\`\`\`\n\`${tag}\`\n\`\`\`\nGoodbye.`,
    `\`\`\`\n<promise>\nDONE\n</promise>\n\`\`\``,
    `- \`\`\`\n  ${tag}\n  \`\`\``,
    `\`\`\`\n${tag}`,
    `\`\`\`js\nlet x;\n\`\`\`\n${tag}`,
    `- \`\`\`js\n  let x;\n  \`\`\`\n\n${tag}`,
    `\`\`\`\`\n\`\`\`\n\`\`\`\`\n${tag}`,
    `Use \`\`\`x\`\`\` here\n${tag}`,
    `\`\`\`js\nlet x;\n\`\`\` <response>LATER</response>\n\`\`\`\nAll done.\n${tag}`,
    `\`\`\`x\`\`\`\n${tag}`,
  ])("claims: %j", (text) => expect(judge(text)).toBe("claim"));

  it.each([
    `\`\`\`\necho hi\n${tag}\n\`\`\``,
    `\`\`\`\n${tag}\necho hi\n\`\`\``,
    `\`\`\`\necho ${tag}\n\`\`\``,
    `\`\`\`\n${tag} # tag\n\`\`\``,
    `\`\`\`\n${tag}\n~~~\n\`\`\``,
    `\`\`\`\`\n\`\`\`\n${tag}\nx\n\`\`\`\``,
    `\`\`\`${tag}\nx\n\`\`\``,
    `\`\`\`js\nlet x;\n${tag}`,
    `\`\`\`js\nlet x;\n\`\`\` ${tag}\n\`\`\``,
    `~~~\nlet x;\n\`\`\`\n${tag}`,
  ])("mentions: %j", (text) => expect(judge(text)).toBe("mention"));

  it.each(["```js\nlet x;\n", "Use <promise> here\n```js\nlet x;", "```js <promise>\nlet x;", "```js <pro"])(
    "ends a fence with its message: %j",
    (text) => expect(judge([text, tag])).toBe("claim"),
  );
});

describe("own-line and anywhere (R-13)", () => {
  it.each([
    tag,
    ` ${tag}\t`,
    `Text.\n${tag}\nText`,
    `\`${tag}\``,
    `\`\`\`\n${tag}\n\`\`\``,
    `<promise>\nDONE\n</promise>`,
  ])("own-line claims: %j", (text) => expect(judge(text, "own-line")).toBe("claim"));

  it.each([`All done. ${tag}`, `Status: ${tag}`, `- ${tag}`, `${tag}.`, `> ${tag}`, `\`\`\`\nx\n${tag}\n\`\`\``])(
    "own-line mentions: %j",
    (text) => expect(judge(text, "own-line")).toBe("mention"),
  );

  it.each([
    `I will not output ${tag} yet`,
    `> ${tag}`,
    `| ${tag} |`,
    `\`\`\`\nx\n${tag}\n\`\`\``,
    `"<promise>\ndone </promise>"`,
  ])("anywhere claims: %j", (text) => expect(judge(text, "anywhere")).toBe("claim"));
});
