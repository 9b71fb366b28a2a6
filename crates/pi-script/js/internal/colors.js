// Styles of terminals: name -> codes that begin and end it.
const colors = {
  reset: [0, 0], bold: [1, 22], dim: [2, 22], italic: [3, 23], underline: [4, 24], blink: [5, 25], inverse: [7, 27],
  hidden: [8, 28], strikethrough: [9, 29], doubleunderline: [21, 24], framed: [51, 54], overlined: [53, 55],
};
["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"].forEach((name, i) => {
  const capital = name[0].toUpperCase() + name.slice(1);
  colors[name] = [30 + i, 39];
  colors[`${name}Bright`] = [90 + i, 39];
  colors[`bg${capital}`] = [40 + i, 49];
  colors[`bg${capital}Bright`] = [100 + i, 49];
});
Object.assign(colors, { gray: [90, 39], grey: [90, 39], blackBright: [90, 39], bgGray: [100, 49], bgGrey: [100, 49] });
exports.colors = colors;
