import { withoutUnknown } from "../facts/marks.ts";
import type { Call, Rule } from "../facts/rule.ts";
import { resolveIn } from "../facts/scope.ts";

/** Categories 16 and 17: remote data and infrastructure. */
export const dataAndCloudRules: readonly Rule[] = [
  {
    category: 16,
    tier: "block",
    names: [
      "psql",
      "mysql",
      "mariadb",
      "sqlite3",
      "sqlite",
      "sqlcmd",
      "clickhouse-client",
      "clickhouse",
      "duckdb",
      "cqlsh",
      "snowsql",
      "bq",
      "cockroach",
      "usql",
      "litecli",
      "pgcli",
      "mycli",
    ],
    when: (call) => textsOf(call).some(isDestructiveSql),
    reason: "drops or empties data",
  },
  {
    category: 16,
    tier: "block",
    names: ["mongo", "mongosh"],
    when: (call) =>
      textsOf(call).some((text) => /dropDatabase|\.drop\(|(?:deleteMany|remove)\(\s*(?:\{\s*\})?\s*\)/.test(text)),
    reason: "drops or empties data",
  },
  {
    category: 16,
    tier: "block",
    names: ["redis-cli", "valkey-cli"],
    when: (call) => textsOf(call).some((text) => /\bflush(?:all|db)\b/i.test(text)),
    reason: "empties the database",
  },
  { category: 16, tier: "block", names: ["dropdb", "dropuser"], unless: /^--help$/, reason: "drops a database" },
  { category: 16, tier: "block", names: ["mysqladmin"], words: ["drop"], reason: "drops a database" },
  {
    category: 16,
    tier: "block",
    names: ["rails", "rake"],
    argument: /^db:(?:drop|reset|purge|migrate:reset)/,
    reason: "drops a database",
  },
  { category: 16, tier: "block", names: ["prisma"], argument: /^(?:reset|--force-reset)$/, reason: "drops a database" },
  {
    category: 17,
    tier: "block",
    names: ["terraform", "tofu", "terragrunt", "cdk", "cdktf", "pulumi", "sst", "serverless", "sls"],
    words: ["destroy|remove|down"],
    reason: "destroys infrastructure",
  },
  {
    category: 17,
    tier: "block",
    names: ["terraform", "tofu", "terragrunt"],
    words: ["apply"],
    argument: /^--?(?:auto-approve|destroy)/,
    reason: "changes infrastructure unasked",
  },
  {
    category: 17,
    tier: "block",
    names: ["terraform", "tofu"],
    words: ["state", "rm|push"],
    reason: "forgets infrastructure",
  },
  {
    category: 17,
    tier: "block",
    names: ["pulumi", "cdk"],
    words: ["up|deploy"],
    argument: /^(?:--yes|-y|--skip-preview|--require-approval=never)$/,
    reason: "changes infrastructure unasked",
  },
  {
    category: 17,
    tier: "block",
    names: ["aws"],
    when: (call) =>
      call.operands
        .slice(1, 4)
        .some((word) => /^(?:delete|terminate|remove|deregister|purge|destroy|stop)(?:-|$)/.test(word)),
    reason: "deletes resources in the cloud",
  },
  { category: 17, tier: "block", names: ["aws"], words: ["s3", "rm|rb"], reason: "deletes resources in the cloud" },
  {
    category: 17,
    tier: "block",
    names: ["aws"],
    words: ["s3", "sync"],
    flags: ["--delete"],
    reason: "deletes resources in the cloud",
  },
  {
    category: 17,
    tier: "block",
    names: [
      "az",
      "gcloud",
      "doctl",
      "linode-cli",
      "hcloud",
      "ibmcloud",
      "oci",
      "eksctl",
      "scw",
      "wrangler",
      "supabase",
      "firebase",
      "neonctl",
    ],
    when: (call) =>
      call.operands.some((word) => /^(?:delete|destroy|purge|terminate)$|:(?:delete|destroy)$/.test(word)),
    reason: "deletes resources in the cloud",
  },
  {
    category: 17,
    tier: "block",
    names: ["gsutil", "gcloud"],
    words: ["rm|rb|storage"],
    argument: /^(?:rm|rb)$/,
    reason: "deletes resources in the cloud",
  },
  {
    category: 17,
    tier: "block",
    names: ["heroku", "fly", "flyctl", "vercel", "netlify", "railway"],
    argument: /^(?:apps:destroy|pg:reset|destroy|remove|rm|delete|down|sites:delete)$/,
    reason: "deletes resources in the cloud",
  },
  {
    category: 17,
    tier: "block",
    names: ["kubectl", "oc"],
    words: ["delete|drain|cordon|replace"],
    reason: "deletes what runs in a cluster",
  },
  {
    category: 17,
    tier: "block",
    names: ["helm"],
    words: ["uninstall|delete|del|un|rollback"],
    reason: "deletes what runs in a cluster",
  },
  {
    category: 17,
    tier: "block",
    names: ["gh"],
    words: ["repo|release|secret|variable|ruleset", "delete|archive|remove"],
    reason: "deletes what is on the forge",
  },
  {
    category: 17,
    tier: "block",
    names: ["gh"],
    words: ["api"],
    argument: /^(?:DELETE|-XDELETE|--method=DELETE)$/,
    reason: "deletes what is on the forge",
  },
];

function textsOf(call: Call): string[] {
  const written = call.args.map((word) => call.scope.files.get(resolveIn(call.scope, word)) ?? "");
  return [...call.args, ...written.map((text) => withoutUnknown(text)), withoutUnknown(call.input)];
}

/** Statements that lose data, judged one by one outside of quotes and comments. */
function isDestructiveSql(text: string): boolean {
  const bare = text.replaceAll(/'(?:[^']|'')*'/g, "''").replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, " ");
  return bare.split(";").some((statement) => {
    if (
      /^\s*(?:drop\s+(?:table|database|schema|view|materialized|index|user|role|column|keyspace|owned)|truncate\b)/i.test(
        statement,
      )
    )
      return true;
    if (/\balter\s+table\b[\s\S]*\bdrop\s+(?:column|constraint)/i.test(statement)) return true;
    return /^\s*(?:delete\s+from|update\s+\S+\s+set)\b/i.test(statement) && !/\bwhere\b/i.test(statement);
  });
}
