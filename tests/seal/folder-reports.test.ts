import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openProject, type ScratchProject } from "../run/scratch-project.ts";

/** Runs the tests of each module as maven does, and writes its reports as surefire does: one for each class. */
const wrapper = `#!/usr/bin/env node
const fs = require("node:fs");
let failed = 0;
if (process.argv.includes("-DskipTests")) process.exit(0);
for (const module of ["core", "web"]) {
  const add = new Function("a", "b", fs.readFileSync(module + "/src/main/java/Add.java", "utf8").match(/return .*;/)[0]);
  for (const file of fs.readdirSync(module + "/src/test/java")) {
    const text = fs.readFileSync(module + "/src/test/java/" + file, "utf8");
    const cases = [...text.matchAll(/void (\\w+)\\(\\) { assertEquals\\((.+), add\\((.+), (.+)\\)\\); }/g)].map(([, name, ...numbers]) => {
      const [expected, a, b] = numbers.map(Number);
      const isRed = add(a, b) !== expected;
      failed += isRed ? 1 : 0;
      return '<testcase name="' + name + '" classname="' + module + '.AddTest">' + (isRed ? "<failure/>" : "") + "</testcase>";
    });
    fs.mkdirSync(module + "/target/surefire-reports", { recursive: true });
    const suite = '<testsuite name="' + module + '.AddTest" tests="' + cases.length + '">' + cases.join("") + "</testsuite>";
    fs.writeFileSync(module + "/target/surefire-reports/TEST-" + module + ".AddTest.xml", '<?xml version="1.0"?>' + suite);
  }
}
process.exitCode = failed > 0 ? 1 : 0;
`;
const suite = `class AddTest {
  @Test void adds() { assertEquals(3, add(1, 2)); }
  @Test void addsNothing() { assertEquals(1, add(1, 0)); }
}
`;
const gone = '<testsuite name="core.GoneTest" tests="1"><testcase name="gone" classname="core.GoneTest"/></testsuite>';
const fixture = "core/src/test/resources/target/surefire-reports/TEST-fixture.xml";
const honest = "sed -i 's/a - b/a + b/' */src/main/java/Add.java";

function mavenProject(deed: string, command = "./mvnw -q test"): ScratchProject {
  const project = openProject({ isGit: true });
  project.write("mvnw", wrapper);
  project.write(".gitignore", "/*/target/\n");
  project.write(fixture, gone);
  for (const module of ["core", "web"]) {
    project.write(`${module}/src/main/java/Add.java`, "class Add { int add(int a, int b) { return a - b; } }\n");
    project.write(`${module}/src/test/java/AddTest.java`, suite);
  }
  chmodSync(join(project.directory, "mvnw"), 0o755);
  project.git("add", "--all");
  project.git("commit", "--quiet", "--message", "files");
  const guardrails = [{ command, failAction: "APPEND" }];
  project.claude(`${deed}\nclaim`, { guardrails, maximumIterations: 1, seal: { checks: "claims" } });
  return project;
}

describe("reports that a runner writes into folders of the project", () => {
  it("are read from the copy once the check has ended, all of them", async () => {
    const { code, stderr } = await mavenProject(honest).run(["run", "-p", "Repair add."]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("guardrail passed (sealed, 4 tests passed, ")]);
  });

  it("count no test that a file of the project or an earlier run there names, and the file stays", async () => {
    const project = mavenProject(honest);
    project.write("core/target/surefire-reports/TEST-core.GoneTest.xml", gone);
    const { code, stderr } = await project.run(["run", "-p", "Repair add."]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("guardrail passed (sealed, 4 tests passed, ")]);
    expect(project.read(fixture)).toBe(gone);
  });

  it("name the tests that did not run, whatever the exit code is", async () => {
    const project = mavenProject(`${honest}; sed -i 's/a + b/process.exit(0)/' web/src/main/java/Add.java`);
    const { code, stderr } = await project.run(["run", "-p", "Repair add."]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("2 tests of the base did not run")]);
  });

  it("are wanted where the base had some, and only there", async () => {
    const cheat = "sed -i 's/a - b/process.exit(0)/' core/src/main/java/Add.java";
    const refused = await mavenProject(cheat).run(["run", "-p", "Repair add."]);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("The check wrote no report")]);
    const build = await mavenProject(honest, "./mvnw -q package -DskipTests").run(["run", "-p", "Repair add."]);
    expect([build.code, build.stderr]).toEqual([0, expect.stringContaining("guardrail passed (sealed, ")]);
  });
});
