import type { Exchange, RequestToAnswer } from '#http/trusted-request'

const setupPath = '/studio/setup'

/**
 * Leads people from the front page to set-up while Tilth has no owner, whatever site the page would show. Programs,
 * which do not accept HTML by name, get the page.
 */
export class SetupRedirect {
  /** Final, so that the store is asked only until there is an owner. */
  private isSetUp = false

  constructor(private readonly isNeeded: () => Promise<boolean>) {}

  /** Whether the request is one to lead to set-up, as far as that is known without asking the store. */
  concerns({ request: { method, headers }, trustedRequest: { path } }: RequestToAnswer): boolean {
    if (this.isSetUp || path !== '/' || (method !== 'GET' && method !== 'HEAD')) return false
    return headers.accept?.includes('text/html') ?? false
  }

  /** Answers the request; false if there is an owner, or the store does not say. */
  async answer({ response }: Exchange): Promise<boolean> {
    const isNeeded = await this.isNeeded().catch(() => undefined)
    this.isSetUp = isNeeded === false
    if (!isNeeded) return false
    if (!response.destroyed)
      response.writeHead(307, { location: setupPath, 'cache-control': 'no-store' }).end()
    return true
  }
}
