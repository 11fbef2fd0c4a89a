// Files that are bundled as text.
declare module "*.html" {
  const text: string;
  export default text;
}
declare module "*.xml" {
  const text: string;
  export default text;
}
