// Which projects the user trusts.
import { host } from "script:host";

export const hasTrustRequiringProjectResources = (cwd) => host.sync("trust.isNeeded", cwd);

export class ProjectTrustStore {
  #agentDir;
  constructor(agentDir) {
    this.#agentDir = agentDir;
  }
  getEntry(cwd) {
    return host.sync("trust.entry", this.#agentDir, cwd);
  }
  get(cwd) {
    return this.getEntry(cwd)?.decision ?? null;
  }
  set(cwd, decision) {
    this.setMany([{ path: cwd, decision }]);
  }
  setMany(decisions) {
    host.sync("trust.set", this.#agentDir, decisions);
  }
}
