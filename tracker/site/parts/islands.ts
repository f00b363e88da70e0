interface IslandModule {
  /** Hydrates the element and returns what takes the component away again. */
  mount(element: HTMLElement): () => void
}

/** A part of a page that a client component of the site folder has rendered. */
class Island extends HTMLElement {
  private unmount: (() => void) | undefined
  /** The buttons that were pressed before the component was there: it gets each press once. */
  private readonly pressed = new Set<HTMLElement>()

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
    if (this.unmount) return
    this.addEventListener('click', this.keepPress)
    try {
      // the server has named it
      const loaded = (await import(this.dataset.module ?? '')) as IslandModule
      if (this.isConnected) this.unmount ??= loaded.mount(this)
    } finally {
      this.removeEventListener('click', this.keepPress)
    }
    for (const button of this.pressed) button.click()
    this.pressed.clear()
  }

  private readonly keepPress = (press: MouseEvent): void => {
    // the server has rendered HTML
    const button = (press.target as HTMLElement).closest<HTMLElement>('button, [role=button]')
    // a form with an address works without the component
    if (!button || button.closest('form[action]')) return
    press.preventDefault()
    this.pressed.add(button)
  }
}

export function begin(): void {
  if (!customElements.get('tilth-island')) customElements.define('tilth-island', Island)
}
