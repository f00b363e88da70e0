import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** The certificate of localhost for a hundred years; its key is public, and nothing but tests trusts it. */
export const localhostCertificate = `-----BEGIN CERTIFICATE-----
MIIBnDCCAUGgAwIBAgIUWE5PQa8Z56ZNjzoQMB7FV8Mrv7wwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTIwMTE1MDY0MVoYDzIxMjYxMTA3
MTUwNjQxWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATxW3kX72Ehf4OFaPvGqYjpHYMUJ6JEpLkolt1UEmVccCF2iTnVSTEp
jxx0QpkcgrK3cQ63XGkVW3u8lwic6XuFo28wbTAdBgNVHQ4EFgQU6tlJ2uBvStOb
oUGnt41M8R1CQigwHwYDVR0jBBgwFoAU6tlJ2uBvStOboUGnt41M8R1CQigwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSQAwRgIhAOBJ7b0p4MAXzI1BZj2eFAcPVxVacfJCaEIWdpd3Vf57AiEA
3kjdi27cbzs9ff32AtO/27Uvw5gNICqCiax32trYN8c=
-----END CERTIFICATE-----
`
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgvugxBaxar3mgXmLe
26Bf/Pg0T2kSgjnb0gStUlROLPKhRANCAATxW3kX72Ehf4OFaPvGqYjpHYMUJ6JE
pLkolt1UEmVccCF2iTnVSTEpjxx0QpkcgrK3cQ63XGkVW3u8lwic6XuF
-----END PRIVATE KEY-----
`

/** Serves the description of a client by https, at the address that is the client's id. */
export async function aClientDocument(describe: (id: string) => object): Promise<string> {
  let id = ''
  const server = createServer({ cert: localhostCertificate, key }, (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(describe(id)))
  })
  server.listen(0, 'localhost')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // it listens on a port
  id = `https://localhost:${(server.address() as AddressInfo).port}/client.json`
  return id
}
