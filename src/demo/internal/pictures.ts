/** The pictures of the demo's site, drawn as SVG and stored as PNG. They hold no letters, which machines draw differently. */
export interface DemoPicture {
  /** A description of the picture, for readers who cannot see it. */
  alt: string
  svg: string
}

const [width, height] = [1600, 900]
const colours = {
  pine: '#2f6f5e',
  deep: '#173f36',
  mint: '#a9d6c4',
  sand: '#f3ead9',
  sun: '#f2b84b',
  coral: '#e7765f',
  sky: '#d7e9ee',
  ink: '#22302c',
  paper: '#fffdf8',
} as const
type Colour = (typeof colours)[keyof typeof colours]

interface Box {
  x: number
  y: number
  w: number
  h: number
}

const box = ({ x, y, w, h }: Box, fill: string, radius = 16): string =>
  `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="${radius}" fill="${fill}"/>`

const disc = (x: number, y: number, radius: number, fill: string): string =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}"/>`

const path = (d: string, stroke: string, thickness = 10): string =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${thickness}" stroke-linecap="round" stroke-linejoin="round"/>`

const area = (d: string, fill: string): string => `<path d="${d}" fill="${fill}"/>`

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

const picture = (alt: string, background: Colour, ...shapes: readonly string[]): DemoPicture => ({
  alt,
  svg:
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
    `${box({ x: 0, y: 0, w: width, h: height }, background, 0)}${shapes.join('')}</svg>`,
})

/** A card with a coloured label and lines in place of words. */
const card = ({ x, y, w, h }: Box, label: Colour): string =>
  box({ x, y: y + 6, w, h }, '#0000001a', 14) +
  box({ x, y, w, h }, colours.paper, 14) +
  box({ x: x + 22, y: y + 22, w: w * 0.28, h: 14 }, label, 7) +
  box({ x: x + 22, y: y + 52, w: w - 44, h: 12 }, '#22302c2e', 6) +
  (h > 110 ? box({ x: x + 22, y: y + 78, w: (w - 44) * 0.62, h: 12 }, '#22302c2e', 6) : '')

interface Column {
  head: Colour
  /** The labels of its cards. */
  cards: readonly Colour[]
}

function board({ x, y, w, h }: Box, columns: readonly Column[], background = '#ffffff8c'): string {
  const gap = 28
  const each = (w - gap * (columns.length - 1)) / columns.length
  const drawn = columns.map(({ head, cards }, index) => {
    const left = x + index * (each + gap)
    const inside = cards.map((label, row) =>
      card({ x: left + 20, y: y + 78 + row * 146, w: each - 40, h: 124 }, label),
    )
    return (
      box({ x: left, y, w: each, h }, background, 22) +
      box({ x: left + 22, y: y + 28, w: each * 0.42, h: 20 }, head, 10) +
      inside.join('')
    )
  })
  return drawn.join('')
}

const pine = (x: number, background: number, size: number, fill: Colour): string =>
  box({ x: x - size * 0.05, y: background - size * 0.14, w: size * 0.1, h: size * 0.16 }, colours.ink, 2) +
  range(3)
    .map((level) => {
      const [top, half] = [background - size * (1 - level * 0.22), size * (0.2 + level * 0.07)]
      return area(`M${x} ${top} L${x + half} ${top + size * 0.42} L${x - half} ${top + size * 0.42} Z`, fill)
    })
    .join('')

const { pine: green, deep, mint, sand, sun, coral, sky, ink, paper } = colours

/** The pictures by the slug of the post; `board` and `team` are of pages. */
export const pictures = {
  board: picture(
    'A board with four columns of cards, from what is to do to what is done',
    mint,
    board({ x: 90, y: 90, w: 1420, h: 720 }, [
      { head: ink, cards: [coral, sun, green, sun] },
      { head: ink, cards: [green, coral, sun] },
      { head: ink, cards: [sun, green] },
      { head: green, cards: [green, green, coral, green] },
    ]),
  ),
  team: picture(
    'Pine trees on hills above a lake, under a low sun',
    sky,
    disc(1180, 330, 120, sun),
    area('M0 520 Q400 330 820 510 T1600 430 V900 H0 Z', mint),
    area('M0 640 Q480 470 900 640 T1600 580 V900 H0 Z', green),
    ...[170, 300, 440, 1240, 1370, 1490].map((x, index) =>
      pine(x, 660 - (index % 2) * 24, 230 + (index % 3) * 46, deep),
    ),
    area('M0 760 Q420 690 860 760 T1600 730 V900 H0 Z', deep),
  ),
  'why-boards': picture(
    'A long list on the left, and the same work on a board with three columns on the right',
    sand,
    box({ x: 110, y: 110, w: 430, h: 680 }, paper, 24),
    ...range(11).map((row) =>
      box({ x: 160, y: 165 + row * 54, w: 330 - ((row * 67) % 130), h: 16 }, '#22302c38', 8),
    ),
    path('M600 450 H700 M668 414 L704 450 L668 486', coral, 14),
    board({ x: 770, y: 130, w: 720, h: 640 }, [
      { head: ink, cards: [sun, coral, sun] },
      { head: coral, cards: [green] },
      { head: green, cards: [green, sun] },
    ]),
  ),
  'standups-without-meetings': picture(
    'Speech bubbles of different sizes, with lines in place of words',
    sky,
    ...[
      { x: 140, y: 130, w: 640, h: 190, fill: paper, line: green },
      { x: 700, y: 360, w: 720, h: 190, fill: green, line: mint },
      { x: 220, y: 590, w: 560, h: 170, fill: sun, line: ink },
    ].flatMap(({ x, y, w, h, fill, line }) => [
      area(`M${x + 70} ${y + h - 10} l10 76 l70 -76 Z`, fill),
      box({ x, y, w, h }, fill, 46),
      ...range(3).map((row) =>
        box({ x: x + 56, y: y + 44 + row * 40, w: (w - 112) * (1 - row * 0.24), h: 16 }, line, 8),
      ),
    ]),
  ),
  'import-without-tears': picture(
    'A spreadsheet whose rows become cards on a board',
    mint,
    box({ x: 110, y: 150, w: 600, h: 600 }, paper, 20),
    ...range(7).flatMap((row) =>
      range(4).map((column) =>
        box(
          { x: 140 + column * 138, y: 185 + row * 76, w: 122, h: 56 },
          row === 0 ? green : (row * 3 + column * 2) % 5 === 0 ? sun : '#22302c1f',
          8,
        ),
      ),
    ),
    path('M770 450 H880 M846 412 L884 450 L846 488', deep, 14),
    board({ x: 950, y: 150, w: 540, h: 600 }, [
      { head: ink, cards: [sun, green, sun] },
      { head: green, cards: [coral, sun] },
    ]),
  ),
  'small-teams-plan': picture(
    'A quarter of thirteen weeks, with three bars that stand for what was planned',
    sand,
    ...range(13).flatMap((week) => [
      box({ x: 120 + week * 106, y: 150, w: 90, h: 600 }, week % 2 === 0 ? '#ffffffb3' : '#ffffff66', 14),
      box({ x: 148 + week * 106, y: 176, w: 34, h: 12 }, '#22302c52', 6),
    ]),
    box({ x: 132, y: 260, w: 490, h: 92 }, green, 24),
    box({ x: 450, y: 410, w: 700, h: 92 }, coral, 24),
    box({ x: 980, y: 560, w: 480, h: 92 }, sun, 24),
    path('M802 130 V770', deep, 6),
    disc(802, 130, 18, deep),
  ),
  'hello-world': picture(
    'The sun rises behind a forest of pines',
    sun,
    disc(800, 560, 300, paper),
    disc(800, 560, 230, coral),
    area('M0 620 Q400 520 800 610 T1600 600 V900 H0 Z', green),
    ...range(11).map((index) =>
      pine(70 + index * 148, 770 + (index % 3) * 22, 300 + ((index * 53) % 120), deep),
    ),
    area('M0 780 Q500 730 900 790 T1600 770 V900 H0 Z', ink),
  ),
  'automations-in-ten-minutes': picture(
    'Cards that are connected by arrows: when one is done, others follow',
    deep,
    path(
      'M420 300 C620 300 560 190 760 190 M420 300 C620 300 560 450 760 450 M420 300 C600 300 520 700 760 700',
      mint,
      8,
    ),
    path(
      'M1030 190 C1160 190 1120 450 1230 450 M1030 450 H1230 M1030 700 C1160 700 1120 450 1230 450',
      mint,
      8,
    ),
    card({ x: 150, y: 238, w: 270, h: 124 }, sun),
    ...[128, 388, 638].map((y, index) =>
      card({ x: 760, y, w: 270, h: 124 }, [coral, green, sun][index] ?? sun),
    ),
    disc(1300, 450, 84, sun),
    path('M1262 452 L1290 480 L1342 420', deep, 18),
  ),
  'remote-retrospectives': picture(
    'Seven people around a round table, seen from above',
    mint,
    disc(800, 450, 230, paper),
    disc(800, 450, 196, sand),
    ...range(7).map((seat) => {
      const angle = (seat / 7) * 2 * Math.PI - Math.PI / 2
      const [x, y] = [Math.round(800 + Math.cos(angle) * 330), Math.round(450 + Math.sin(angle) * 330)]
      return disc(x, y, 62, [green, coral, sun, deep, green, sun, coral][seat] ?? green)
    }),
    ...[
      { x: 690, y: 380, fill: sun },
      { x: 800, y: 420, fill: coral },
      { x: 730, y: 490, fill: green },
      { x: 850, y: 510, fill: sun },
    ].map(({ x, y, fill }) => box({ x, y, w: 84, h: 58 }, fill, 8)),
  ),
  'boards-2': picture(
    'Two boards, one before the other, the nearer one with more columns',
    green,
    board(
      { x: 260, y: 70, w: 1080, h: 520 },
      [
        { head: paper, cards: [] },
        { head: paper, cards: [] },
        { head: paper, cards: [] },
      ],
      '#ffffff2e',
    ),
    board(
      { x: 120, y: 210, w: 1360, h: 620 },
      [
        { head: ink, cards: [coral, sun, sun] },
        { head: ink, cards: [sun, green] },
        { head: ink, cards: [green, coral, sun] },
        { head: ink, cards: [coral] },
        { head: green, cards: [green, green, green] },
      ],
      sand,
    ),
  ),
  'calm-notifications': picture(
    'A bell above a calm sea in the evening',
    deep,
    disc(1270, 220, 90, sand),
    area('M650 520 C650 380 680 250 800 250 C920 250 950 380 950 520 L1000 580 H600 Z', sun),
    box({ x: 776, y: 206, w: 48, h: 60 }, sun, 24),
    area('M740 604 a60 52 0 0 0 120 0 Z', sun),
    ...range(4).map((row) =>
      path(
        `M0 ${710 + row * 52} q100 -34 200 0 t200 0 t200 0 t200 0 t200 0 t200 0 t200 0 t200 0`,
        row % 2 === 0 ? green : mint,
        8,
      ),
    ),
  ),
  'what-we-measure': picture(
    'Six bars and a line that rises above them',
    sky,
    box({ x: 130, y: 110, w: 1340, h: 680 }, paper, 28),
    ...range(4).map((row) => path(`M210 ${240 + row * 150} H1390`, '#22302c1f', 4)),
    ...[170, 250, 220, 330, 300, 420].map((bar, index) =>
      box({ x: 250 + index * 190, y: 690 - bar, w: 110, h: bar }, index === 5 ? green : mint, 14),
    ),
    path('M305 470 L495 400 L685 420 L875 300 L1065 320 L1255 200', coral, 14),
    disc(1255, 200, 24, coral),
  ),
} satisfies Readonly<Record<string, DemoPicture>>

export type PictureName = keyof typeof pictures

/** Draws a picture as the bytes of an uploaded file. */
export async function drawPicture(name: PictureName): Promise<Uint8Array> {
  // a native package, which few processes ever need
  const { default: sharp } = await import('sharp')
  return await sharp(Buffer.from(pictures[name].svg)).png({ palette: true }).toBuffer()
}

export const isPicture = (name: string): name is PictureName => Object.hasOwn(pictures, name)
