import type { SurveyPosition } from '#surveys/survey'

const marginPx = 16

/**
 * Places a survey at its position and keeps it clear of what the page itself has fixed there, such as a consent banner:
 * it moves above or below that, and stays out of sight while there is no room. Returns a function that ends this.
 */
export function keepClear(box: HTMLElement, position: SurveyPosition, host: Element): () => void {
  const isTop = position.startsWith('top-')
  const isMiddle = position.startsWith('middle-') || position === 'center'
  const side = position.endsWith('left') ? 'left' : position.endsWith('center') ? 'center' : 'right'
  let distance = marginPx
  const apply = (): void => {
    const { style } = box
    const { offsetHeight: height, offsetWidth: width } = box
    const top = isTop ? distance : isMiddle ? (innerHeight - height) / 2 : innerHeight - height - distance
    style.top = `${Math.max(top, 0)}px`
    style.left = `${side === 'left' ? marginPx : side === 'center' ? (innerWidth - width) / 2 : innerWidth - width - marginPx}px`
  }
  const place = (): void => {
    distance = marginPx
    // several may be stacked
    for (let attempt = 0; attempt < 4; attempt++) {
      apply()
      const obstacle = fixedBelow(box, host)
      if (!obstacle) {
        box.style.visibility = ''
        return
      }
      const { top, bottom } = obstacle.getBoundingClientRect()
      distance = (isTop ? bottom : innerHeight - top) + marginPx
      if (isMiddle || distance + box.offsetHeight > innerHeight) break
    }
    // it would cover something that the page needs an answer to
    box.style.visibility = 'hidden'
  }
  place()
  const timer = setInterval(place, 300)
  addEventListener('resize', place)
  return () => {
    clearInterval(timer)
    removeEventListener('resize', place)
  }
}

/** What is fixed to the window where the box is. */
function fixedBelow(box: HTMLElement, host: Element): Element | undefined {
  const { left, top, width, height } = box.getBoundingClientRect()
  for (const x of [0.02, 0.5, 0.98])
    for (const y of [0.02, 0.25, 0.5, 0.75, 0.98])
      for (const element of document.elementsFromPoint(left + width * x, top + height * y)) {
        const fixed = element === host || host.contains(element) ? undefined : fixedAncestor(element)
        if (fixed) return fixed
      }
  return undefined
}

function fixedAncestor(element: Element | null): Element | undefined {
  for (; element && element !== document.body; element = element.parentElement)
    if (/fixed|sticky/.test(getComputedStyle(element).position) && !element.hasAttribute('data-tilth-survey'))
      return element
  return undefined
}
