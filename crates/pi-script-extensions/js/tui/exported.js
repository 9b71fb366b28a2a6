// What `pi-tui` exports.
import { exporter } from "pi:bridge/lazy";
import * as later from "pi:tui/later";
import * as main from "pi:tui/main";

export const exported = exporter({ ...main, ...later });
