// What `pi-coding-agent` exports.
import { exporter } from "pi:bridge/lazy";
import * as later from "pi:coding-agent/later";
import * as main from "pi:coding-agent/main";

export const exported = exporter({ ...main, ...later });
