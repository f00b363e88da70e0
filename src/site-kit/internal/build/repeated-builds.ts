import { type BuildContext, type BuildOptions, type BuildResult, context } from 'esbuild'

interface NamedContext {
  entries: string
  context: BuildContext
}

/** Builds of esbuild that are repeated: files that did not change are not parsed again. */
export class RepeatedBuilds {
  private readonly contexts = new Map<string, NamedContext>()

  /** Builds by the options of the first call for the same entry points: plugins have to read what may change. */
  async run(name: string, options: BuildOptions): Promise<BuildResult> {
    const entries = JSON.stringify(options.entryPoints)
    const known = this.contexts.get(name)
    if (known?.entries === entries) return await known.context.rebuild()
    this.contexts.delete(name)
    await known?.context.dispose()
    const created = await context(options)
    this.contexts.set(name, { entries, context: created })
    return await created.rebuild()
  }

  async close(): Promise<void> {
    for (const known of this.contexts.values()) await known.context.dispose()
    this.contexts.clear()
  }
}
