// readline/promises: questions that are awaited.
const readline = require("readline");

class Interface extends readline.Interface {
  question(query, options, callback) {
    if (typeof callback === "function") return super.question(query, options, callback);
    return readline.ask({ question: (...args) => super.question(...args) }, query, options);
  }
}
module.exports = { Interface, createInterface: (...args) => new Interface(...args) };
