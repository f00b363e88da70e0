import type { SurveyPosition } from '#surveys/survey'

const marginPx = 16

/**
 * Places a survey at its position and keeps it clear of what the page itself has fixed there, such as a consent banner:
 * it moves above or below that, and stays out of sight while there is no room. Returns a function that ends this.
 */
export function keepClear(box: HTMLElement, position: SurveyPosition): () => void {
  const isTop = position.startsWith('top')
  const isMiddle = position === 'center' || position.startsWith('middle')
  const isAtLeft = position.endsWith('left')
  const isCentred = position.endsWith('center')
  const place = (): void => {
    let distance = marginPx
    // several may be stacked
    for (let attempt = 0; attempt < 4; attempt++) {
      box.style.inset = [
        distanceTo(isTop, isMiddle, distance),
        distanceTo(!isAtLeft, isCentred),
        distanceTo(!isTop, isMiddle, distance),
        distanceTo(isAtLeft, isCentred),
      ].join(' ')
      const obstacle = fixedBelow(box)
      // out of sight while it would cover something that the page needs an answer to
      box.style.visibility = obstacle ? 'hidden' : ''
      if (!obstacle || isMiddle) return
      const rect = obstacle.getBoundingClientRect()
      distance = (isTop ? rect.bottom : innerHeight - rect.top) + marginPx
      if (distance + box.offsetHeight > innerHeight) return
    }
  }
  place()
  const timer = setInterval(place, 300)
  return () => clearInterval(timer)
}

/** The distance to a side of the window; a box in the middle has none to either of two. */
const distanceTo = (isThere: boolean, isBetween: boolean, distance = marginPx): string =>
  isBetween ? '0' : isThere ? `${distance}px` : 'auto'

/** The element that is fixed to the window at the place of the box. */
function fixedBelow(box: HTMLElement): Element | undefined {
  const { left, top, width, height } = box.getBoundingClientRect()
  for (const x of [0.02, 0.5, 0.98])
    for (const y of [0.02, 0.25, 0.5, 0.75, 0.98])
      for (let element of document.elementsFromPoint(left + width * x, top + height * y)) {
        // this one among them
        if (element.closest('[data-tilth-survey]')) continue
        for (; element !== document.body && element.parentElement; element = element.parentElement)
          if (/fixed|sticky/.test(getComputedStyle(element).position)) return element
      }
  return undefined
}
