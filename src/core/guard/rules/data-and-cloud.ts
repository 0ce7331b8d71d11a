import { marks, withoutUnknown } from "../facts/marks.ts";
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
  {
    category: 16,
    tier: "block",
    names: ["redis-cli", "valkey-cli"],
    argument: /^(?:del|unlink)$/i,
    when: (call) => call.words.some((word) => word.includes(marks.listing)),
    reason: "empties the database",
  },
  {
    category: 16,
    tier: "block",
    names: ["artisan", "php", "mix", "sequelize", "sequelize-cli", "typeorm", "knex"],
    argument: /^(?:migrate:(?:fresh|reset|refresh)|db:(?:wipe|drop|reset)\S*|ecto\.(?:drop|reset)|schema:drop)$/,
    reason: "drops a database",
  },
  {
    category: 16,
    tier: "block",
    names: ["flyway", "liquibase", "sqlx", "dbmate", "drizzle-kit", "diesel"],
    argument: /^(?:clean|drop-?all|drop|reset)$/i,
    reason: "drops a database",
  },
  {
    category: 16,
    tier: "block",
    names: ["python", "manage.py", "django-admin"],
    argument: /^(?:flush|reset_db|sqlflush)$/,
    when: (call) => call.name !== "python" || call.args.some((word) => word.endsWith("manage.py")),
    reason: "empties the database",
  },
  {
    category: 16,
    tier: "block",
    names: ["influx", "etcdctl", "consul", "nats", "rabbitmqctl", "kafka-topics", "kafka-topics.sh"],
    argument: /^(?:delete|del|purge|reset|delete_vhost|purge_queue|--delete|rm)$/,
    reason: "deletes data of a service",
  },
  {
    category: 16,
    tier: "block",
    names: ["curl", "http", "xh"],
    argument: /^(?:DELETE|-XDELETE|--request=DELETE|delete)$/,
    when: (call) =>
      call.args.some((word) => /:(?:9200|5984|6333|8086)\b|\/(?:_all|_data_stream|\*)(?:\/|$)/.test(word)),
    reason: "deletes data of a service",
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
    argument: /^(?:destroy|remove|down)$/,
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
  {
    category: 17,
    tier: "block",
    names: ["aws", "gcloud", "az"],
    argument:
      /^(?:create-access-key|create-login-profile|(?:attach|put)-(?:user|role|group)-policy|add-iam-policy-binding|set-iam-policy|put-bucket-(?:acl|policy)|schedule-key-deletion|disable-\S+|update-assume-role-policy|authorize-security-group-ingress|delete-batch|modify-\S+-attribute)$/,
    reason: "gives out rights or takes protection away in the cloud",
  },
  {
    category: 17,
    tier: "block",
    names: ["mc", "s3cmd", "s5cmd", "b2", "ossutil", "coscmd", "rclone"],
    argument: /^(?:rm|rb|del|delete|purge|delete-bucket|undo)$/,
    reason: "deletes a bucket or what is in it",
  },
  {
    category: 17,
    tier: "block",
    names: ["argocd", "flux", "kops", "velero", "sam", "eb", "cf", "okteto", "render", "nomad", "rancher"],
    argument: /^(?:delete|uninstall|remove|terminate|destroy|purge)$/,
    reason: "deletes resources in the cloud",
  },
  { category: 17, tier: "block", names: ["pulumi"], words: ["stack", "rm"], reason: "forgets infrastructure" },
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
    names: ["kubectl", "oc", "k", "k3s", "microk8s"],
    argument: /^(?:delete|drain|cordon|replace)$/,
    when: (call) => /^(?:kubectl )?(?:delete|drain|cordon|replace)(?: |$)/.test(call.operands.join(" ")),
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
    words: ["repo|release|secret|variable|ruleset|ssh-key|gpg-key", "delete|archive|remove|set|add"],
    when: ({ operands }) => !/^(?:release|variable) (?:set|add)/.test(operands.join(" ")),
    reason: "deletes what is on the forge",
  },
  {
    category: 17,
    tier: "block",
    names: ["glab", "tea"],
    words: ["repo|release|variable|ssh-key", "delete|archive|remove"],
    reason: "deletes what is on the forge",
  },
  {
    category: 17,
    tier: "block",
    names: ["gh"],
    words: ["repo", "edit"],
    flags: ["--visibility"],
    reason: "shows a repository to others",
  },
  {
    category: 18,
    tier: "block",
    names: ["kubectl", "aws", "gcloud", "az"],
    when: ({ operands }) =>
      /^(?:config set-(?:credentials|cluster)|configure (?:set|import)|config unset|auth activate)/.test(
        operands.join(" "),
      ),
    reason: "writes keys",
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
