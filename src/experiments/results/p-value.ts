/** 0.0123, <0.0001 */
export const pText = (p: number): string => (p < 0.0001 ? '<0.0001' : p.toFixed(p < 0.01 ? 4 : 3))

/** p = 0.0123, p < 0.0001 */
export const pInWords = (p: number): string => (p < 0.0001 ? 'p < 0.0001' : `p = ${pText(p)}`)
