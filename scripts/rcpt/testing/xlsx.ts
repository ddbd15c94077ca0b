import { crc32 } from 'node:zlib';

// A spreadsheet as small as Excel takes it: a stored ZIP with one XML for each sheet, all of its cells numbers or
// inline strings.

type Sheets = Readonly<Record<string, readonly (readonly string[])[]>>;

function relations(each: readonly string[]): string {
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${each.join('')}</Relationships>`;
}

export function xlsxOf(sheets: Sheets): Buffer {
  const names = Object.keys(sheets);
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  return zipOf({
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels': relations([`<Relationship Id="r1" Type="${office}/officeDocument" Target="xl/workbook.xml"/>`]),
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${names
      .map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="r${index + 1}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      names.map(
        (_, index) =>
          `<Relationship Id="r${index + 1}" Type="${office}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
      ),
    ),
    ...Object.fromEntries(
      names.map((name, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `<worksheet xmlns="${main}"><sheetData>${(sheets[name] ?? []).map(rowXml).join('')}</sheetData></worksheet>`,
      ]),
    ),
  });
}

function rowXml(cells: readonly string[], row: number): string {
  const xml = cells.map((cell, column) => {
    const place = `${String.fromCharCode(65 + column)}${row + 1}`;
    if (/^\d+(\.\d+)?$/.test(cell)) return `<c r="${place}"><v>${cell}</v></c>`;
    return `<c r="${place}" t="inlineStr"><is><t>${cell}</t></is></c>`;
  });
  return `<row r="${row + 1}">${xml.join('')}</row>`;
}

function zipOf(files: Readonly<Record<string, string>>): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, text] of Object.entries(files)) {
    const data = Buffer.from(text);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt32LE(crc32(data), 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(data.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const body = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), data]);
    directory.push(
      Buffer.concat([
        Buffer.from('PK\x01\x02'),
        Buffer.from([20, 0]),
        fields,
        Buffer.alloc(10),
        number32(at),
        Buffer.from(name),
      ]),
    );
    bodies.push(body);
    at += body.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...bodies, central, Buffer.from('PK\x05\x06'), end]);
}

function number32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
