import { flagValues, hasFlag, type Call, type Rule } from "../facts/rule.ts";

/** Categories 1 to 3 without the rules about paths, which are in path-use.ts. */
export const fileRules: readonly Rule[] = [
  {
    category: 2,
    tier: "block",
    names: [
      "fdisk",
      "sfdisk",
      "cfdisk",
      "gdisk",
      "sgdisk",
      "parted",
      "wipefs",
      "cryptsetup",
      "mkswap",
      "mke2fs",
      "newfs",
      "badblocks",
      "hdparm",
      "blkdiscard",
      "grub-install",
      "grub2-install",
      "update-grub",
      "efibootmgr",
      "bless",
      "lvremove",
      "vgremove",
      "pvremove",
      "mdadm",
      "zpool",
      "nvme",
    ],
    unless: /^(?:-l|--list|--help|--version|-V|status|list)$/,
    reason: "changes disks, partitions or the boot loader",
  },
  {
    category: 2,
    tier: "block",
    names: ["diskutil"],
    words: ["erasedisk|eraseDisk|eraseVolume|partitionDisk|zeroDisk|secureErase|reformat|apfs"],
    reason: "changes disks",
  },
  {
    category: 3,
    tier: "block",
    names: ["dd"],
    argument: /^if=\/dev\/(?:zero|u?random)$/,
    when: (call) => !call.args.some((word) => word.startsWith("count=")),
    reason: "copies without end",
  },
  {
    category: 2,
    tier: "block",
    names: ["zfs", "btrfs"],
    argument: /^(?:destroy|rollback|delete)$/,
    reason: "destroys a file system",
  },
  {
    category: 1,
    tier: "block",
    names: ["tar", "bsdtar", "gtar"],
    flags: ["-P", "--absolute-names"],
    when: (call) => call.args.some((word) => /^-?[a-zA-Z]*x|^--extract/.test(word)),
    reason: "writes wherever the archive says",
  },
  {
    category: 3,
    tier: "block",
    names: ["dd"],
    argument: /^if=\/dev\/(?:zero|u?random)$/,
    when: (call) => isHugeCopy(call.args),
    reason: "takes all the space there is",
  },
  {
    category: 3,
    tier: "block",
    names: ["head"],
    when: (call) => isHuge(flagValues(call, "-c", "--bytes")),
    reason: "takes all the space there is",
  },
  {
    category: 3,
    tier: "block",
    names: ["openssl", "seq", "jot"],
    argument: /^\d{11,}$|^inf(?:inity)?$/,
    reason: "takes all the space there is",
  },
  {
    category: 3,
    tier: "block",
    names: ["fallocate", "truncate"],
    when: (call) => isHuge(flagValues(call, "-l", "--length", "-s", "--size")),
    reason: "takes all the space there is",
  },
  {
    category: 3,
    tier: "block",
    names: ["tail", "sort", "wc", "grep"],
    argument: /^\/dev\/zero$/,
    without: ["-c", "-n"],
    reason: "reads without end into memory",
  },
  { category: 3, tier: "block", names: ["stress", "stress-ng"], reason: "uses up the machine" },
  { category: 1, tier: "block", names: ["rm"], flags: ["--no-preserve-root"], reason: "asks for the root itself" },
  { category: 1, tier: "block", names: ["srm", "wipe", "scrub"], reason: "destroys files beyond recovery" },
  {
    category: 1,
    tier: "block",
    names: ["shred"],
    when: (call) => !hasFlag(call, "--help", "--version"),
    reason: "destroys files beyond recovery",
  },
];

function isHuge(values: readonly string[]): boolean {
  return values.some((value) => bytesOf(value) >= hugeBytes);
}

function bytesOf(size: string): number {
  const [, digits = "0", unit = ""] = /^\+?(\d+)([KMGTPE]?)/i.exec(size) ?? [];
  const power = "KMGTPE".indexOf(unit.toUpperCase()) + 1;
  return Number(digits) * 1024 ** (unit === "" ? 0 : power);
}

/** `bs` times `count`; a block of dd has 512 bytes. */
function isHugeCopy(args: readonly string[]): boolean {
  const valueOf = (name: string): string | undefined =>
    args.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
  return bytesOf(valueOf("bs") ?? "512") * bytesOf(valueOf("count") ?? "0") >= hugeBytes;
}

/** Nobody needs a file of 100 GiB in a work tree. */
const hugeBytes = 100 * 1024 ** 3;

/** Whether mkfs in any of its spellings is called. */
export const isMakeFileSystem = (call: Call): boolean => /^(?:mkfs|newfs)(?:[._]|$)/.test(call.name);
