type PanelWidth = 'half' | 'wide'

/** Puts panels of half the width in pairs; one that would stand alone in its row is wide. */
export function widthsOf(wanted: readonly PanelWidth[]): PanelWidth[] {
  const widths: PanelWidth[] = []
  for (let index = 0; index < wanted.length; index++) {
    const isPair = wanted[index] === 'half' && wanted[index + 1] === 'half'
    widths.push(...(isPair ? (['half', 'half'] as const) : (['wide'] as const)))
    if (isPair) index++
  }
  return widths
}
