import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** The licenses of all packages whose code is in the bundles that `metafiles` describe: each asks to go with its code. */
export function bundledLicenses(root, metafiles) {
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs));
  const folders = [...new Set(inputs.flatMap((input) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? []))];
  return folders
    .toSorted((left, right) => left.localeCompare(right))
    .map((folder) => licenseOf(join(root, folder)))
    .join("\n");
}

function licenseOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each)) ?? "LICENSE";
  if (!existsSync(join(folder, file))) throw new Error(`${name} is bundled and has no license file`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
}
