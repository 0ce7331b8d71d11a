import { marks } from "../facts/marks.ts";
import { flagValues, hasFlag, type Call, type Rule } from "../facts/rule.ts";

const engines = ["docker", "podman", "nerdctl", "docker-compose", "podman-compose"];

/** Category 8: data of containers and machines that is lost, and engines of others. One container by its name is one's own. */
export const containerRules: readonly Rule[] = [
  {
    category: 8,
    tier: "block",
    names: engines,
    when: (call) => removing.test(call.operands.join(" ")),
    reason: "removes volumes or what runs for others",
  },
  {
    category: 8,
    tier: "block",
    names: engines,
    words: ["volume", "prune"],
    reason: "removes volumes with their data",
  },
  {
    category: 8,
    tier: "block",
    names: engines,
    when: isDroppingVolumes,
    reason: "removes volumes with their data",
  },
  {
    category: 8,
    tier: "block",
    names: engines,
    words: ["rm|rmi|container|image"],
    when: isRemovingAll,
    reason: "removes every container or image",
  },
  {
    category: 8,
    tier: "block",
    names: engines,
    when: (call) =>
      flagValues(call, "-H", "--host", "--url").some((address) => /^(?:tcp|ssh|https?):/.test(address)) ||
      call.operands.join(" ").startsWith("context use "),
    reason: "speaks to the container engine of another machine",
  },
  {
    category: 8,
    tier: "block",
    names: [
      "lxc",
      "incus",
      "vagrant",
      "virsh",
      "multipass",
      "colima",
      "limactl",
      "minikube",
      "kind",
      "k3d",
      "crictl",
      "ctr",
      "orb",
    ],
    argument: /^(?:delete|destroy|undefine|rm|rmi|rmp|purge|remove)$/,
    unless: /^--(?:help|dry-run)$/,
    reason: "removes a machine or cluster with its data",
  },
  { category: 8, tier: "block", names: ["podman"], words: ["unshare"], reason: "acts as another user" },
];

const removing =
  /^(?:volume (?:rm|remove)|swarm leave|stack (?:rm|remove|down)|service (?:rm|remove)|secret (?:rm|remove)|config (?:rm|remove)|node (?:rm|remove)|system reset|machine (?:rm|reset)|plugin (?:install|rm))(?: |$)/;

/** `compose down -v`, `rm -v`, `system prune --volumes`. */
function isDroppingVolumes(call: Call): boolean {
  const isCompose = call.name.endsWith("-compose") || call.args.includes("compose");
  const text = `${call.name} ${call.operands.join(" ")}`;
  const isDown = isCompose && call.args.some((word) => word === "down" || word === "rm");
  if (
    !isDown &&
    !/(?:compose (?:down|rm)|^\S+ (?:rm|container rm|system prune)|-compose (?:down|rm))(?: |$)/.test(text)
  )
    return false;
  return hasFlag(call, "-v", "--volumes") && !hasFlag(call, "--version");
}

/** `docker rm $(docker ps -aq)`: nobody chose which. */
function isRemovingAll(call: Call): boolean {
  const [first = "", second = ""] = call.operands;
  const verb = /^(?:container|image)$/.test(first) ? second : first;
  if (!/^(?:rmi?|remove)$/.test(verb)) return false;
  const names = call.words.slice(call.args.indexOf(verb) + 1).filter((word) => !word.startsWith("-"));
  return hasFlag(call, "-a", "--all") || names.some((word) => word.includes(marks.listing));
}
