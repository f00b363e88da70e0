/** "A", "B" …: what the series of a question are called in its formulas. */
export const letterOf = (series: number): string => String.fromCodePoint(65 + series)
