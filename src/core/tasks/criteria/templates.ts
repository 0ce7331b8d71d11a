import { acceptancePlaceholder, type CompletionSpec, type Verification } from "./completion-spec.ts";
import { roleDefaults } from "./default-criteria.ts";

/** Ready-made criteria for a common kind of project. */
export type TaskTemplate = { name: string; sentence: string; criteria: CompletionSpec["criteria"] };

/** The commands of a kind of project: one that builds the work, one that runs its tests. */
type Recipe = { name: string; sentence: string; build: string | null; test: string };

const recipes: Recipe[] = [
  { name: "node-tests", sentence: "npm test", build: "npm run build --if-present", test: "npm test" },
  { name: "python-pytest", sentence: "python -m pytest", build: null, test: "python -m pytest -q" },
  { name: "rust-cargo", sentence: "cargo build and cargo test", build: "cargo build", test: "cargo test" },
  { name: "go-test", sentence: "go build and go test", build: "go build ./...", test: "go test ./..." },
  { name: "java-maven", sentence: "mvn test", build: "mvn -q -B compile", test: "mvn -q -B test" },
  { name: "java-gradle", sentence: "gradlew test", build: "./gradlew -q classes", test: "./gradlew -q test" },
  { name: "dotnet-test", sentence: "dotnet test", build: "dotnet build -v quiet", test: "dotnet test -v quiet" },
  { name: "make-check", sentence: "make and make check", build: "make", test: "make check" },
];

const judged: Verification = {
  method: "semantic",
  checkFor: [acceptancePlaceholder],
  negativePatterns: [],
  model: null,
};

/** A build or a test suite takes longer than a single check. */
const commandTimeoutMs = 15 * 60_000;

/** Every template, in the order help lists them. */
export const taskTemplates: readonly TaskTemplate[] = recipes.map((recipe) => ({
  name: recipe.name,
  sentence: recipe.sentence,
  criteria: criteriaOf(recipe),
}));

/** Every method has what it needs to succeed: commands where commands run, criteria where a judge reads them. */
function criteriaOf({ build, test }: Recipe): CompletionSpec["criteria"] {
  const stages = [
    ...(build === null ? [] : [stage("build", external(build))]),
    stage("tests", external(test)),
    stage("acceptance", judged),
  ];
  return {
    coder: criterion("coder", "The work is implemented and all tests pass.", external(test)),
    reviewer: criterion("reviewer", "Every acceptance criterion is met by the code.", judged),
    tester: criterion("tester", "Tests cover every acceptance criterion and pass.", external(test)),
    qa: criterion("qa", "The work builds, its tests pass and every acceptance criterion is met.", {
      method: "multi_stage",
      stages,
      requireAll: true,
      parallelMax: 1,
    }),
  };
}

function criterion(role: keyof typeof roleDefaults, description: string, verification: Verification) {
  return { promise: roleDefaults[role].promise, description, maxIterations: null, verification };
}

function external(command: string): Verification {
  return {
    method: "external",
    command,
    successExitCode: 0,
    outputContains: null,
    outputNotContains: null,
    timeoutMs: commandTimeoutMs,
    workingDir: ".",
  };
}

function stage(name: string, verification: Verification) {
  return { name, isRequired: true, isAlways: false, verification };
}
