/** Saves a file; one that cannot be made is a failed download, and the page stays. */
export function download(address: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
}
