/** Stands where a page of files lacks what a server does. `tilth publish --static` reports it and takes it out. */
export const OmittedPart = ({ of }: { of: string }) => <template data-omitted={of} />
