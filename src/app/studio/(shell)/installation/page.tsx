export { metadata, InstallationPage as default } from '#studio/installation/InstallationPage'
