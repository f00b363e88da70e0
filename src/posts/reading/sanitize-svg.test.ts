import { expect, test } from 'vitest'
import { sanitizeSvg } from './sanitize-svg'

test.each([
  ['<svg onload="x()"><script>x()</script><rect x="1"/></svg>', '<rect x="1"/>'],
  ['<svg><foreignObject><b>x</b></foreignObject><text>a</text></svg>', '<text>a</text>'],
  ['<svg><a href="javascript:x()"><text>a</text></a></svg>', '<text>a</text>'],
  ['<svg><rect fill="url(https://x)" x="1"/></svg>', '<rect x="1"/>'],
  ['<svg><path marker-end="url(#arrow)"/></svg>', '<path marker-end="url(#arrow)"/>'],
  ['<svg><style>@import "x"</style><g/></svg>', '<g/>'],
  ['<svg><!-- <script> --><g></g></svg>', '<g></g>'],
  ['<svg><image href="https://x"/><use href="#y"/><animate/></svg>', ''],
  ['<svg><clipPath><rect x="1"/></clipPath><g/></svg>', '<g/>'],
  ['<svg><text>a < b & c</text></svg>', '<text>a  b &amp; c</text>'],
])('of %s remains %s', (drawn, remains) => {
  const [, inside = ''] = /^<svg [^>]*>(?:<style>[^<]*<\/style>)+(.*)<\/svg>$/s.exec(sanitizeSvg(drawn)) ?? []
  expect(inside).toBe(remains)
})
