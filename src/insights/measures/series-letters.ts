/** The names of series in formulas: "A", "B" … */
export const seriesLetter = (series: number): string => String.fromCodePoint(65 + series)
