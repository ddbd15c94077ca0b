/** What was dropped, or chosen: the parts of a `DataTransfer` that say so. */
export type Given = {
  readonly files: ArrayLike<File>;
  /** What a field of a form was given has none. */
  readonly items?: ArrayLike<{ readonly webkitGetAsEntry: () => { readonly isDirectory: boolean } | null }>;
};

/** Windows, macOS and Linux keep where a file is in files of these names. */
const SHORTCUT = /\.(?:lnk|url|webloc|desktop)$/i;

/** The one file; else why there is none, in words. To be called in the event, after which a folder looks like a file. Pure. */
export function oneFile({ files, items }: Given): File | string {
  const [file, second] = Array.from(files);
  if (file === undefined) return 'That is not a file: drop one, or choose it.';
  const isFolder = Array.from(items ?? []).some((item) => item.webkitGetAsEntry()?.isDirectory === true);
  if (second !== undefined)
    return `These are ${files.length} files, such as “${file.name}” and “${second.name}”: one at a time, please.`;
  if (isFolder) return `“${file.name}” is a folder: open it, and drop the file that is in it.`;
  if (SHORTCUT.test(file.name)) return `“${file.name}” is a shortcut: drop the file that it leads to.`;
  if (file.size === 0) return `“${file.name}” is empty.`;
  return file;
}
