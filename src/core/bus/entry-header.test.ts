import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { parseHeader, renderHeader } from "./entry-header.ts";
import { type BusMessage, createMessage } from "./message.ts";
import { propertySeed } from "../../../tests/property-seed.ts";

fc.configureGlobal({ seed: propertySeed });

const mark = { bytes: 12, crc32: 0x0a, isEscaped: false };
const neverYaml = (): never => {
  throw new Error("this header is our own");
};

function messageWith(fields: Partial<BusMessage>): BusMessage {
  return { ...createMessage({ type: "INFO", projectId: "shop", body: "" }, { id: "MSG-1", at: 0 }), ...fields };
}

describe("a header", () => {
  it("is YAML that other tools read, with the length of the body near its start and the checksum at its end", () => {
    const text = renderHeader(messageWith({ taskId: "yes", meta: { note: 'a "b": c' } }), mark);
    expect(parse(text)).toEqual({
      msg_id: "MSG-1",
      body_bytes: 12,
      ts: "1970-01-01T00:00:00.000Z",
      type: "INFO",
      project_id: "shop",
      task_id: "yes",
      meta: { note: 'a "b": c' },
      body_crc32: "0000000a",
    });
    expect(text.split("\n")[1]).toBe("body_bytes: 12");
    expect(text.trimEnd().split("\n").at(-1)).toBe('body_crc32: "0000000a"');
  });

  it("comes back whatever its texts are, read by us and by any YAML parser (R-91)", () => {
    const text = fc.string({ unit: "binary", minLength: 1 }).filter((each) => each.trim() !== "");
    const map = fc.dictionary(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), {
      noNullPrototype: true,
      maxKeys: 3,
    });
    const parents = fc.array(fc.record({ messageId: text, kind: fc.option(text), meta: map }), { maxLength: 2 });
    const links = fc.array(fc.record({ url: text, label: fc.option(text), kind: fc.option(text) }), { maxLength: 2 });
    const fields = fc.record({
      id: text,
      type: text,
      projectId: text,
      runId: fc.option(text),
      parents,
      links,
      meta: map,
    });
    fc.assert(
      fc.property(fields, (given) => {
        const { body: _, ...message } = messageWith(given);
        const rendered = renderHeader({ ...message, body: "" }, mark);
        expect(parseHeader(rendered, neverYaml)).toEqual({ message, body: mark });
        // The comment makes it a header that is not our own.
        expect(parseHeader(`# by hand\n${rendered}`, (yaml) => parse(yaml))).toEqual({ message, body: mark });
      }),
    );
  });

  it("of other writers may have its fields in any order and parents as plain ids", () => {
    const text = "type: FACT\nproject_id: 7\nparents:\n  - MSG-0\n  - {msg_id: MSG-1, kind: answers}\nmsg_id: MSG-2\n";
    const header = parseHeader(text, (yaml) => parse(yaml));
    expect(header?.body).toBeNull();
    expect(header?.message).toMatchObject({
      id: "MSG-2",
      projectId: "7",
      parents: [
        { messageId: "MSG-0", kind: null, meta: {} },
        { messageId: "MSG-1", kind: "answers", meta: {} },
      ],
    });
  });

  it.each([
    "msg_id: MSG-1\ntype: INFO\n",
    "msg_id: MSG-1\nproject_id: shop\n",
    "type: INFO\nproject_id: shop\n",
    "msg_id: MSG-1\ntype: INFO\nproject_id: ''\n",
    "msg_id: MSG-1\ntype: INFO\nproject_id: shop\nbody_bytes: 3\n",
    'msg_id: MSG-1\ntype: INFO\nproject_id: shop\nbody_bytes: 3\nbody_crc32: "12"\n',
    'msg_id: MSG-1\ntype: INFO\nproject_id: shop\nbody_bytes: -3\nbody_crc32: "00000000"\n',
    "{ not yaml",
    "- a list\n",
    "",
  ])("is broken in row %#", (text) => {
    expect(parseHeader(text, (yaml) => parse(yaml))).toBeNull();
  });

  it("cut anywhere is known as cut: it never passes for a header of another writer (R-92)", () => {
    const whole = renderHeader(messageWith({ taskId: "task-1", runId: "run 2" }), mark);
    for (let length = 0; length < whole.length - 1; length += 1) {
      expect(parseHeader(`${whole.slice(0, length)}\n`, (yaml) => parse(yaml))).toBeNull();
    }
  });
});
