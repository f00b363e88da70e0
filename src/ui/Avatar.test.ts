import { expect, test } from 'vitest'
import { initials } from './Avatar'

test.each([
  ['Ana Lima', 'AL'],
  ['ana.lima@example.com', 'AL'],
  ['Ana Maria de Lima', 'AL'],
  ['zoë', 'Z'],
  ['田中 千代', '田千'],
  ['👩‍🌾 gardener', '👩G'],
  ['', '?'],
  ['@', '?'],
])('%s is %s', (name, letters) => expect(initials(name)).toBe(letters))
