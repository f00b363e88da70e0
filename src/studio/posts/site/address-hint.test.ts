import { expect, test } from 'vitest'
import { addressHint } from './address-hint'

const origin = 'https://tilth.example'

test.each([
  // the site without a URL           it is said to be
  [{ origin, isOpenable: true }, '', /Until then the site is at https:\/\/tilth\.example\.$/],
  [
    { origin, isOpenable: false },
    '',
    /cannot open it: https:\/\/tilth\.example shows another project’s site\. Members preview it by “View site”\.$/,
  ],
  [{ origin: '', isOpenable: false }, '', /Point its domain here first\.$/],
  [{ origin, isOpenable: false }, 'https://acme.example', /Point its domain here first\.$/],
])('%o with the URL “%s”', (address, url, sentence) => expect(addressHint(address, url)).toMatch(sentence))
