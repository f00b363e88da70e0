import type { GeoContext } from 'd3-geo'

/**
 * A pen for d3 that writes whole steps from point to point. The world is ten thousand points on every page with a map,
 * and this takes half of what places with decimals do.
 */
export class OutlinePen implements GeoContext {
  private written = ''
  private at: [x: number, y: number] = [0, 0]
  private start: [x: number, y: number] = [0, 0]

  /** Returns the path drawn so far and starts a new one. */
  take(): string {
    const path = this.written
    this.written = ''
    this.at = [0, 0]
    return path
  }

  moveTo(x: number, y: number) {
    this.at = [Math.round(x), Math.round(y)]
    this.start = this.at
    this.written += `M${this.at.join(' ')}`
  }

  lineTo(x: number, y: number) {
    const [dx, dy] = [Math.round(x) - this.at[0], Math.round(y) - this.at[1]]
    if (dx === 0 && dy === 0) return
    this.at = [this.at[0] + dx, this.at[1] + dy]
    this.written += `l${dx}${dy < 0 ? '' : ' '}${dy}`
  }

  closePath() {
    this.at = this.start
    this.written += 'z'
  }

  beginPath() {
    this.take()
  }

  /** Only points are drawn as circles, and there are none in an atlas of areas. */
  arc() {
    throw new Error('The atlas holds a point. Draw it as one of the dots of countries.ts.')
  }
}
