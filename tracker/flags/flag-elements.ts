/* oxlint-disable eqeqeq -- it is a part of a script of 300 bytes */
/** An element of a page that depends on a flag: `<div data-tilth-flag="headline" data-tilth-variant="b" hidden>`. */
export const flagElements = '[data-tilth-flag]'
export const undecidedElements = '[data-tilth-flag]:not([data-tilth-was])'

/**
 * Shows or hides an element as its flag decides. `data-tilth-was` says that it was decided, and whether the page had it
 * hidden: without a variant to show it is as the page has it.
 */
export function showAs(element: HTMLElement, value: unknown): void {
  const { dataset } = element
  const { tilthVariant: variant } = dataset
  const was = (dataset.tilthWas ??= '' + element.hidden)
  element.hidden =
    value == null || (variant != null && typeof value != 'string')
      ? was == 'true'
      : variant != null
        ? value != variant
        : !value == !('tilthOff' in dataset)
}
