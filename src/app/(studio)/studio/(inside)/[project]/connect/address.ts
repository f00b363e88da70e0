import { headers } from 'next/headers'

/** Where this installation answers, as whoever asks reaches it. The front alone writes these headers. */
export async function installationAddress(): Promise<string> {
  const said = await headers()
  return `${said.get('x-forwarded-proto')}://${said.get('x-forwarded-host')}`
}
