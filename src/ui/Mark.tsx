import { clsx } from 'clsx'

const sizes = { sm: 'size-4', md: 'size-6', lg: 'size-10' }

/** The colours of charts, which stand out from the ground in both themes. */
const colours = [
  'text-chart-1',
  'text-chart-2',
  'text-chart-3',
  'text-chart-4',
  'text-chart-5',
  'text-chart-6',
  'text-chart-7',
  'text-chart-8',
]

/** Outlines in a box of 24, filled by the rule of even and odd: they differ without their colours too. */
const markOutlines: readonly string[] = [
  // disc
  'M12 2a10 10 0 1 1 0 20 10 10 0 0 1 0-20Z',
  // square
  'M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2Z',
  // triangle
  'M10.3 3.1a2 2 0 0 1 3.4 0l8.6 15.4a2 2 0 0 1-1.7 3H3.4a2 2 0 0 1-1.7-3Z',
  // diamond
  'M10.6 1.6a2 2 0 0 1 2.8 0l9 9a2 2 0 0 1 0 2.8l-9 9a2 2 0 0 1-2.8 0l-9-9a2 2 0 0 1 0-2.8Z',
  // star
  'm12 1.5 3.1 6.8 7.4.8-5.5 5 1.5 7.3L12 17.7l-6.5 3.7L7 14.1l-5.5-5 7.4-.8Z',
  // cross
  'M8.5 2h7v6.5h6.5v7h-6.5v6.5h-7v-6.5H2v-7h6.5Z',
  // ring
  'M12 2a10 10 0 1 1 0 20 10 10 0 0 1 0-20Zm0 5.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9Z',
  // crescent
  'M14.5 2A10 10 0 1 0 22 15.5 8.5 8.5 0 0 1 14.5 2Z',
  // drop
  'M12 1.5s7.5 7.6 7.5 13a7.5 7.5 0 0 1-15 0c0-5.4 7.5-13 7.5-13Z',
  // leaf
  'M21.5 2.5V11A10.5 10.5 0 0 1 11 21.5H2.5V13A10.5 10.5 0 0 1 13 2.5Z',
  // two bars
  'M3 3h7.5v18H3Zm10.5 0H21v18h-7.5Z',
  // hourglass
  'M3 2.5h18L14.5 12 21 21.5H3L9.5 12Z',
]

/** A sign that one recognises a thing by. It says nothing by itself, so screen readers leave it out: a name stands beside it. */
export function Mark({
  shape,
  colour,
  size = 'md',
}: {
  shape: number
  colour: number
  size?: keyof typeof sizes
}) {
  return (
    <svg
      aria-hidden
      viewBox="0 0 24 24"
      className={clsx('inline-block shrink-0', sizes[size], colours[colour % colours.length])}
    >
      <path d={markOutlines[shape % markOutlines.length]} fill="currentColor" fillRule="evenodd" />
    </svg>
  )
}
