import { type ChartColour, type Series, seriesColours } from '../chart'

/** After the last, colours begin again; their shapes and textures do not. */
export const colourAt = (index: number): ChartColour => seriesColours[index % seriesColours.length] ?? 1

export const colourOf = (series: Pick<Series, 'colour'>, index: number): ChartColour =>
  series.colour ?? colourAt(index)

/** As CSS understands it. */
export const colourValue = (colour: ChartColour): string => `var(--color-chart-${colour})`

/** Around the middle, eight pixels wide: what tells lines apart without their colour. */
const shapes = [
  'M-3.5,0a3.5,3.5 0 1,0 7,0a3.5,3.5 0 1,0 -7,0Z',
  'M-3.2,-3.2h6.4v6.4h-6.4Z',
  'M0,-4.2L4,3.2H-4Z',
  'M0,-4.6L4.6,0L0,4.6L-4.6,0Z',
  'M0,4.2L4,-3.2H-4Z',
  'M-1.4,-4.2h2.8v2.8h2.8v2.8h-2.8v2.8h-2.8v-2.8h-2.8v-2.8h2.8Z',
  'M-4.4,-1.6h8.8v3.2h-8.8Z',
  'M-1.6,-4.4h3.2v8.8h-3.2Z',
  'M-4,-2.2L0,0.6L4,-2.2V1.2L0,4L-4,1.2Z',
]

/** Nine shapes and eight colours: seventy-two series before two are the same. */
export const shapeAt = (index: number): string => shapes[index % shapes.length] ?? ''

/** Strokes over a fill, in an eight-pixel tile; the first series has none. */
const textures = [
  '',
  'M-2,2L2,-2M0,8L8,0M6,10L10,6',
  'M1.5,2h1M5.5,6h1',
  'M0,2h8M0,6h8',
  'M-2,6L2,10M0,0L8,8M6,-2L10,2',
  'M2,0v8M6,0v8',
  'M0,4h8M4,0v8',
  'M0,2L4,6L8,2',
  'M0,0L8,8M0,8L8,0',
]

export const textureAt = (index: number): string => textures[index % textures.length] ?? ''
