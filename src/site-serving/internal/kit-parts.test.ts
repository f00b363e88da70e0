import { expect, test } from 'vitest'
import { joinKitParts } from './kit-parts'

const hole = (id: string): string => `<tilth-hole data-id="${id}"></tilth-hole>`
const fill = (id: string, html: string): string => `<tilth-fill data-id="${id}">${html}</tilth-fill>`
const kit = (html: string): string => `<tilth-kit>${html}</tilth-kit>`

test.each([
  ['a page without a site folder', '<main>Words</main>', '<main>Words</main>'],
  [
    'a hole and its fill',
    `${kit(`<div>${hole('a')}</div>`)}${fill('a', '<p>A</p>')}<i></i>`,
    '<div><p>A</p></div><i></i>',
  ],
  [
    'a hole in the fill of another',
    `${kit(hole('a'))}${fill('a', `<b>${hole('b')}</b>`)}${fill('b', 'B')}`,
    '<b>B</b>',
  ],
  [
    'a page within a layout',
    `${kit(`<nav></nav>${hole('l')}`)}${fill('l', `${kit(`<p>${hole('p')}</p>`)}${fill('p', 'P')}`)}`,
    '<nav></nav><p>P</p>',
  ],
  ['a fill without a hole', `${kit('<p></p>')}${fill('a', 'A')}`, '<p></p>'],
  ['a hole without a fill', kit(`<p>${hole('a')}</p>`), '<p></p>'],
])('%s', (_, html, joined) => expect(joinKitParts(html)).toBe(joined))
