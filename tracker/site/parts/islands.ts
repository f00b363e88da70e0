interface IslandModule {
  /** Hydrates the element and returns what takes the component away again. */
  mount(element: HTMLElement): () => void
}

/** A part of a page that a client component of the site folder has rendered. */
class Island extends HTMLElement {
  private unmount: (() => void) | undefined

  connectedCallback(): void {
    void this.hydrate()
  }

  disconnectedCallback(): void {
    // React moves elements by taking them out and putting them back
    queueMicrotask(() => {
      if (this.isConnected) return
      this.unmount?.()
      this.unmount = undefined
    })
  }

  private async hydrate(): Promise<void> {
    // the server has named it
    const loaded = (await import(this.dataset.module ?? '')) as IslandModule
    if (this.isConnected) this.unmount ??= loaded.mount(this)
  }
}

export function begin(): void {
  if (!customElements.get('tilth-island')) customElements.define('tilth-island', Island)
}
