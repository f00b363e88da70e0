import type { Drawing } from './drawing'

/** The size of a finished drawing, from its first element. */
export function measured(svg: string): Drawing {
  const [begin = ''] = /^<svg[^>]*>/.exec(svg) ?? []
  const [width, height] = [pixelsIn(begin, 'width'), pixelsIn(begin, 'height')]
  return width > 0 && height > 0
    ? { done: true, svg, width, height }
    : { done: false, message: 'It is empty.' }
}

const pixelsPerPoint = 4 / 3

function pixelsIn(begin: string, name: string): number {
  const [, number = '', unit = ''] = new RegExp(`\\s${name}="([\\d.]+)(pt|px)?"`).exec(begin) ?? []
  return Math.ceil(Number(number) * (unit === 'pt' ? pixelsPerPoint : 1))
}
