'use server'

import { getProduct } from '../../../../../../src/app/product'

export async function whichInstance() {
  return getProduct().instance
}
