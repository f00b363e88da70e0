import { expect, test } from 'vitest'
import { newFlagDraft } from '../editor/draft'
import { openStep, stepsWithProblems, whyClosed } from './steps'

const made = (name: string, flag = '', newFlag?: ReturnType<typeof newFlagDraft>) => ({
  draft: { name, flag },
  newFlag,
})

test('a step opens once the steps before it have what they need', () => {
  expect(whyClosed('idea', made(''))).toBeUndefined()
  expect(whyClosed('variants', made(' '))).toBe('Name the experiment first.')
  expect(whyClosed('metrics', made('Checkout'))).toBe('Choose a flag first.')
  expect(whyClosed('plan', made('', 'checkout'))).toBe('Name the experiment first.')
  expect(whyClosed('plan', made('Checkout', 'checkout'))).toBeUndefined()
})

test('a new flag needs a key, and shares that add up', () => {
  const flag = newFlagDraft()
  expect(whyClosed('metrics', made('Checkout', '', flag))).toBe('Give the flag a key first.')
  const [one, other] = flag.variants
  const uneven = { key: 'checkout', variants: one && other ? [{ ...one, percentage: 10 }, other] : [] }
  expect(whyClosed('metrics', made('Checkout', '', uneven))).toBe('The shares must add up to 100%.')
  expect(whyClosed('metrics', made('Checkout', '', { ...flag, key: 'checkout' }))).toBeUndefined()
})

test('an address that names a step too early opens the last one that is reached', () => {
  expect(openStep('plan', made(''))).toBe('idea')
  expect(openStep('plan', made('Checkout'))).toBe('variants')
  expect(openStep('plan', made('Checkout', 'checkout'))).toBe('plan')
  expect(openStep('metrics', made('Checkout', 'checkout'))).toBe('metrics')
  expect(openStep('unknown', made('Checkout', 'checkout'))).toBe('idea')
  expect(openStep(null, made('Checkout', 'checkout'))).toBe('idea')
})

test('problems are those of the step that has their field', () => {
  expect(stepsWithProblems({})).toEqual([])
  expect(stepsWithProblems({ 'newFlag.key': 'Taken', 'metrics.0.name': 'Empty' })).toEqual([
    'variants',
    'metrics',
  ])
  expect(stepsWithProblems({ '': 'Too many experiments' })).toEqual([])
})
