import { expect, test } from 'vitest'
import { metaTagIn } from './MetaTagRows'

test.each([
  // what is pasted                                                  name and content
  ['<meta name="google-site-verification" content="a-b_1" />', 'google-site-verification', 'a-b_1'],
  [" <META content='x=\"1\"' name='p:domain_verify'>\n", 'p:domain_verify', 'x="1"'],
])('%s', (text, name, content) => expect(metaTagIn(text)).toEqual({ name, content }))

test.each([
  'google-site-verification',
  '<meta charset="utf-8">',
  '<meta name="a">',
  '<meta name="a" content="b"><b>',
])('%s is no meta tag', (text) => expect(metaTagIn(text)).toBeUndefined())
