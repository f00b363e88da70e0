import { headers } from 'next/headers'

/** The address by which the client reached this installation. Only the front server writes these headers. */
export async function installationAddress(): Promise<string> {
  const requestHeaders = await headers()
  return `${requestHeaders.get('x-forwarded-proto')}://${requestHeaders.get('x-forwarded-host')}`
}
