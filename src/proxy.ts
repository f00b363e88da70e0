import { NextResponse } from 'next/server'
import { getProduct } from './app/product'

/** Pages whose content depends on who is visiting. */
export const config = { matcher: '/blog' }

/** Runs before these pages, and names the Product that everything on them comes from. */
export function proxy() {
  const response = NextResponse.next()
  response.headers.set('x-tilth-product', getProduct().instance)
  return response
}
