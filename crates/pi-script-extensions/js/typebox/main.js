// Schema builders: what extensions import as `typebox`. `Static` and its relatives are types and need nothing here.
import * as build from "pi:typebox/build";
import * as derive from "pi:typebox/derive";
import { isOptional, isReadonly, kindOf } from "pi:typebox/kind";

const missing = (name) => () => {
  throw new Error(`Type.${name} is not available in this program: write the schema with the other builders`);
};
const { OptionalRemove, literalsOf, ...builders } = build;
const unavailable = Object.fromEntries(["Script", "Call", "Generic", "Infer", "Parameter", "Instantiate"].map((name) => [name, missing(name)]));

// `IsString(schema)` and so on, for all kinds.
const isA = (kind) => (value) => kindOf(value) === kind;
const KINDS = ["Any", "Array", "AsyncIterator", "BigInt", "Boolean", "Constructor", "Cyclic", "Enum", "Function", "Identifier", "Integer",
  "Intersect", "Iterator", "Literal", "Never", "Null", "Number", "Object", "Promise", "Record", "Ref", "Rest", "String", "Symbol",
  "TemplateLiteral", "This", "Tuple", "Undefined", "Union", "Unknown", "Unsafe", "Void"];
const guards = Object.fromEntries(KINDS.map((kind) => [`Is${kind}`, isA(kind)]));

export const IsKind = (value, kind) => kindOf(value) === kind;
export const IsSchema = (value) => typeof value === "object" && value !== null;
export const IsOptional = isOptional;
export const IsReadonly = isReadonly;
export const IsImmutable = (value) => value?.["~immutable"] === true;
export const IsCodec = (value) => value?.["~codec"] !== undefined;
export const IsRefine = (value) => value?.["~refine"] !== undefined;
export const RecordPattern = (type) => Object.keys(type.patternProperties)[0];
export const RecordValue = (type) => Object.values(type.patternProperties)[0];
export const RecordKey = (type) => ({ ...build.String(), pattern: RecordPattern(type) });

export const Type = {
  ...builders, ...derive, ...unavailable, ...guards,
  IsKind, IsSchema, IsOptional, IsReadonly, IsImmutable, IsCodec, IsRefine, RecordPattern, RecordValue, RecordKey,
};
export default Type;

export * from "pi:typebox/build";
export * from "pi:typebox/derive";
export const { Script, Call, Generic, Infer, Parameter, Instantiate } = unavailable;
export const {
  IsAny, IsArray, IsAsyncIterator, IsBigInt, IsBoolean, IsConstructor, IsCyclic, IsEnum, IsFunction, IsIdentifier, IsInteger, IsIntersect,
  IsIterator, IsLiteral, IsNever, IsNull, IsNumber, IsObject, IsPromise, IsRecord, IsRef, IsRest, IsString, IsSymbol, IsTemplateLiteral,
  IsThis, IsTuple, IsUndefined, IsUnion, IsUnknown, IsUnsafe, IsVoid,
} = guards;
/** Where a schema keeps its kind; older versions had symbols here. */
export const Kind = "~kind";
export const OptionalKind = "~optional";
export const ReadonlyKind = "~readonly";
