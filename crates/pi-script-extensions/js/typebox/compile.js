// Schemas with their checks: what extensions import as `typebox/compile`. Nothing is compiled; the names are those of others.
import * as value from "typebox/value";

const METHODS = ["Check", "Errors", "Clean", "Convert", "Default", "Parse", "Decode", "Encode"];

export class Validator {
  constructor(context, type) {
    this.context = context;
    this.type = type;
  }

  IsAccelerated() {
    return false;
  }

  Context() {
    return this.context;
  }

  Type() {
    return this.type;
  }

  Schema() {
    return this.type;
  }

  Code() {
    throw new Error("Validators have no code in this program: use Check()");
  }

  Create() {
    return value.Create(this.context, this.type);
  }

  Clone() {
    return new Validator(this.context, this.type);
  }
}
for (const name of METHODS) {
  const work = value[name];
  Object.defineProperty(Validator.prototype, name, {
    configurable: true,
    writable: true,
    value(input) {
      return work(this.context, this.type, input);
    },
  });
}

export const Compile = (...args) => (args.length > 1 ? new Validator(args[0], args[1]) : new Validator({}, args[0]));
export const Code = () => {
  throw new Error("Validators have no code in this program: use Compile(schema).Check(value)");
};
/** The name for it in older versions. */
export const TypeCompiler = { Compile, Code };
export default Compile;
