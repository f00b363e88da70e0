/** "A", "B" …: what the series of a question are called in its formulas. */
export const seriesLetter = (series: number): string => String.fromCodePoint(65 + series)
