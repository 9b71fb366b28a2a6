// Fuzzy search: all characters of the query in order. The lower the score, the better the match.
const BOUNDARY = /[\s\-_./:]/;

const scored = (query, text) => {
  let score = 0;
  let run = 0;
  let last = -1;
  let next = 0;
  for (let i = 0; i < text.length && next < query.length; i++) {
    if (text[i] !== query[next]) continue;
    if (last === i - 1) score -= ++run * 5;
    else {
      run = 0;
      if (last >= 0) score += (i - last - 1) * 2;
    }
    if (i === 0 || BOUNDARY.test(text[i - 1])) score -= 10;
    score += i * 0.1;
    last = i;
    next++;
  }
  if (next < query.length) return { matches: false, score: 0 };
  return { matches: true, score: query === text ? score - 100 : score };
};

// "5gpt" means "gpt5" to people who do not remember the order.
const swapped = (query) => {
  const parts = /^(?:([a-z]+)([0-9]+)|([0-9]+)([a-z]+))$/.exec(query);
  return parts && (parts[1] ? parts[2] + parts[1] : parts[4] + parts[3]);
};

export function fuzzyMatch(query, text) {
  const wanted = query.toLowerCase();
  const lower = text.toLowerCase();
  if (!wanted) return { matches: true, score: 0 };
  const direct = scored(wanted, lower);
  if (direct.matches) return direct;
  const other = swapped(wanted);
  const found = other ? scored(other, lower) : direct;
  return found.matches ? { matches: true, score: found.score + 5 } : direct;
}

export function fuzzyFilter(items, query, getText) {
  const words = query.trim().split(/[\s/]+/).filter(Boolean);
  if (words.length === 0) return items;
  const found = [];
  for (const item of items) {
    const text = getText(item);
    let score = 0;
    const matches = words.every((word) => {
      const result = fuzzyMatch(word, text);
      score += result.score;
      return result.matches;
    });
    if (matches) found.push({ item, score });
  }
  return found.sort((a, b) => a.score - b.score).map(({ item }) => item);
}
