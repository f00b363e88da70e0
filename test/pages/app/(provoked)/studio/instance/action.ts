'use server'

import { getProduct } from '#studio/product'

export async function whichInstance() {
  return getProduct().instance
}
