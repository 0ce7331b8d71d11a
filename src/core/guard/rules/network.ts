import { hasUnknown, marks } from "../facts/marks.ts";
import { flagValues, hasFlag, type Call, type Rule } from "../facts/rule.ts";

/** Categories 4 and 5: what leaves the machine, and who may come in. */
export const networkRules: readonly Rule[] = [
  {
    category: 4,
    tier: "block",
    names: ["curl"],
    flags: [
      "-T",
      "-F",
      "-d",
      "--upload-file",
      "--form",
      "--form-string",
      "--data",
      "--data-raw",
      "--data-binary",
      "--data-ascii",
      "--data-urlencode",
      "--json",
    ],
    when: isUpload,
    reason: "sends data to another machine",
  },
  {
    category: 4,
    tier: "block",
    names: ["wget"],
    flags: ["--post-data", "--post-file", "--body-data", "--body-file"],
    when: (call) => !isLoopback(call),
    reason: "sends data to another machine",
  },
  {
    category: 4,
    tier: "block",
    names: ["http", "https", "xh"],
    words: ["POST|PUT|PATCH|post|put|patch"],
    when: (call) => !isLoopback(call),
    reason: "sends data to another machine",
  },
  {
    category: 4,
    tier: "block",
    names: ["python"],
    argument: /^(?:http\.server|SimpleHTTPServer|pyftpdlib)$/,
    unless: /^(?:127\.|localhost|::1)/,
    reason: "serves the folder to everybody",
  },
  {
    category: 4,
    tier: "block",
    names: ["php"],
    flags: ["-S"],
    unless: /^(?:localhost|127\.)/,
    reason: "serves the folder to everybody",
  },
  { category: 4, tier: "block", names: ["ruby"], argument: /^-run$/, reason: "serves the folder to everybody" },
  {
    category: 4,
    tier: "block",
    names: ["scp", "rsync"],
    when: (call) => isRemote(call.operands.at(-1) ?? ""),
    reason: "copies files to another machine",
  },
  {
    category: 4,
    tier: "block",
    names: ["sftp", "ftp", "lftp", "tftp", "ncftpput", "rclone", "croc", "wormhole"],
    unless: /^(?:--help|--version|-V)$/,
    reason: "moves files to or from another machine",
  },
  {
    category: 4,
    tier: "block",
    names: ["nslookup", "dig", "host", "ping", "drill"],
    when: (call) => call.words.some((word) => hasUnknown(word)),
    reason: "may carry data away in a name",
  },
  {
    category: 4,
    tier: "block",
    names: ["nmap", "masscan", "zmap", "nikto", "sqlmap", "hydra", "gobuster", "ffuf", "tcpdump", "tshark"],
    reason: "scans or listens to the network",
  },
  {
    category: 4,
    tier: "block",
    names: ["telnet"],
    when: (call) => call.input !== "" && !isLoopback(call),
    reason: "sends data to another machine",
  },
  {
    category: 4,
    tier: "block",
    names: ["httpd", "darkhttpd", "miniserve", "webfsd"],
    unless: /^(?:--?help|--?version|-v|127\.\S*|localhost)$/,
    reason: "serves the folder to everybody",
  },
  {
    category: 4,
    tier: "block",
    names: ["deno", "bun", "uv", "uvx", "npx", "bunx", "pipx"],
    argument: /^https?:\/\/(?!localhost|127\.)/,
    when: (call) => /^(?:run|x|https?:\/\/.*)$/.test(call.operands[0] ?? ""),
    reason: "runs what it downloads",
  },
  {
    category: 4,
    tier: "block",
    names: ["aws", "gsutil", "gcloud", "s3cmd", "s5cmd", "mc", "az"],
    when: isCloudUpload,
    reason: "copies files to a bucket",
  },
  { category: 4, tier: "block", names: ["mail", "mailx", "sendmail", "mutt"], reason: "sends data to another machine" },
  { category: 4, tier: "block", names: ["gh"], words: ["gist", "create"], reason: "publishes a file" },
  {
    category: 4,
    tier: "block",
    names: ["curl"],
    flags: ["-K", "--config"],
    reason: "takes its options from where nobody sees them",
  },
  {
    category: 4,
    tier: "block",
    names: ["curl", "wget", "http", "https", "xh"],
    when: (call) => !isLoopback(call) && call.words.some(hasSecretInAddress),
    reason: "carries data away in an address",
  },
  {
    category: 4,
    tier: "block",
    names: ["ssh"],
    argument: /(?:^|[\s|;&])(?:cat|tee|dd|base64)\b.*>|\b(?:tee|dd|tar|rsync|mysql|psql)\b/,
    when: (call) => call.input !== "" && !hasFlag(call, "-n"),
    reason: "copies data to another machine",
  },
  {
    category: 4,
    tier: "block",
    names: ["nc", "ncat", "netcat"],
    when: (call) => call.input !== "" && !hasFlag(call, "-z") && !isLoopback(call),
    reason: "sends data to another machine",
  },
  {
    category: 5,
    tier: "block",
    names: ["nc", "ncat", "netcat"],
    without: ["-z", "-h", "--help", "--version"],
    when: (call) => !isLoopback(call) || hasFlag(call, "-e", "-c", "-l", "--exec", "--sh-exec"),
    reason: "opens a connection for anything",
  },
  {
    category: 5,
    tier: "block",
    names: ["socat"],
    argument: /^(?:exec|system|tcp|udp|openssl)[\w-]*:/i,
    reason: "ties a program to a connection",
  },
  {
    category: 5,
    tier: "block",
    names: ["ssh", "autossh"],
    flags: ["-R", "-L", "-D", "-w", "-W"],
    reason: "forwards connections",
  },
  {
    category: 5,
    tier: "block",
    names: ["ssh", "scp", "sftp"],
    argument: /proxycommand|localcommand|remoteforward|localforward|dynamicforward/i,
    reason: "forwards connections or runs a program",
  },
  {
    category: 5,
    tier: "block",
    names: ["ngrok", "localtunnel", "lt", "frpc", "chisel", "bore", "pagekite", "autossh"],
    unless: /^(?:--help|--version|version)$/,
    reason: "opens a tunnel into this machine",
  },
  {
    category: 5,
    tier: "block",
    names: ["cloudflared", "tailscale"],
    words: ["tunnel|up|funnel|serve|access"],
    reason: "opens a tunnel into this machine",
  },
  {
    category: 5,
    tier: "block",
    names: ["tmux"],
    words: ["new-session|new|new-window|neww"],
    flags: ["-d"],
    reason: "leaves a session behind that nobody sees",
  },
  {
    category: 5,
    tier: "block",
    names: ["screen"],
    flags: ["-d"],
    argument: /^-\w*m/,
    reason: "leaves a session behind that nobody sees",
  },
  {
    category: 5,
    tier: "block",
    names: ["ttyd", "gotty", "wetty", "shellinaboxd", "tmate", "upterm", "sshx"],
    unless: /^--(?:help|version)$/,
    reason: "gives a shell to whoever connects",
  },
  { category: 5, tier: "block", names: ["ssh-copy-id"], reason: "gives a key a login" },
  { category: 5, tier: "block", names: ["sshd", "telnetd", "dropbear"], reason: "lets others in" },
];

/** Programs whose output came over the network. */
export const downloaders = new Set([
  "invoke-webrequest",
  "invoke-restmethod",
  "iwr",
  "irm",
  "curl",
  "wget",
  "fetch",
  "aria2c",
  "http",
  "https",
  "xh",
  "nc",
  "ncat",
  "netcat",
  "telnet",
  "socat",
  "lynx",
  "ftp",
]);

/** A query that curl puts into the address is not an upload, unless it comes from a file. */
function isUpload(call: Call): boolean {
  if (isLoopback(call)) return false;
  if (!hasFlag(call, "-G", "--get")) return true;
  return call.args.some((argument) => argument.includes("@")) || call.words.some((word) => word.includes(marks.file));
}

/** A secret anywhere in an address, or the content of a file in its query; a version in the path is ordinary. */
function hasSecretInAddress(word: string): boolean {
  if (!/^\w+:\/\//.test(word)) return false;
  return word.includes(marks.secret) || word.slice(word.indexOf("?")).includes(marks.file);
}

function isLoopback(call: Call): boolean {
  const addresses = [...call.operands, ...flagValues(call, "--url")].filter((word) => /[./:]|^localhost$/.test(word));
  const hosts = addresses.filter((word) =>
    /^(?:\w+:\/\/|localhost|127\.|\[?::1|0\.0\.0\.0)|^[\w.-]+\.[a-z]{2,}(?:[:/]|$)/i.test(word),
  );
  return hosts.length > 0 && hosts.every((word) => loopback.test(word));
}

/** A copy whose target is a bucket and whose source is a file of this machine. */
function isCloudUpload({ operands }: Call): boolean {
  if (/^storage (?:blob|fs file|file) upload/.test(operands.join(" "))) return true;
  if (!/(?:^| )(?:cp|mv|sync|put|rsync|mirror)(?: |$)/.test(operands.slice(0, 3).join(" "))) return false;
  const [source = "", target = ""] = operands.slice(-2);
  const isBucket = (place: string): boolean => /^(?:s3|gs|oss|azure):\/\//.test(place);
  return isBucket(target) && !isBucket(source);
}

function isRemote(operand: string): boolean {
  return /^[^/:]+:(?!\/\/)|^rsync:\/\//.test(operand) && !/^(?:localhost|127\.0\.0\.1):/.test(operand);
}

const loopback = /^(?:\w+:\/\/)?(?:[^@/]*@)?(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1|0\.0\.0\.0)(?:[:/?]|$)/i;
