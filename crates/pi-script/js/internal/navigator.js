// `navigator`: what scripts ask to learn where they run.
const os = require("os");

exports.navigator = {
  get hardwareConcurrency() {
    return os.availableParallelism();
  },
  language: "en-US",
  languages: ["en-US"],
  platform: host.platform === "darwin" ? "MacIntel" : "Linux",
  userAgent: `Node.js/${process.versions.node.split(".")[0]}`,
};
