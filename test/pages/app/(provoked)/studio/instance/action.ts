'use server'

import { getProduct } from '#app/product'

export async function whichInstance() {
  return getProduct().instance
}
