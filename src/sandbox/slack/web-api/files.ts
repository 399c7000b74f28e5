import { fileObject } from '../api-shapes.ts';
import { mimeType, type StoredFile } from '../files.ts';
import { asText, objectsOf, type Json } from '../json.ts';
import { LIMITS } from '../limits.ts';
import { BOT_USER } from '../seed.ts';
import { ApiFailure, invalidArguments, type Call, type Methods } from './call.ts';
import { postableChannel } from './channels.ts';
import { checkedBlocks } from './content.ts';

function getUploadUrl({ args, workspace }: Call): Json {
  const name = args.required('filename');
  const length = Number(args.required('length'));
  if (!Number.isInteger(length) || length <= 0) {
    throw invalidArguments('[ERROR] must be greater than 0 [json-pointer:/length]');
  }
  const altText = args.text('alt_txt');
  if ((altText?.length ?? 0) > LIMITS.fileAltText) throw new ApiFailure('alt_txt_too_large');
  const file = workspace.files.create(name, BOT_USER, { altText, length });
  return { upload_url: `${workspace.baseUrl()}/upload/v1/${file.id}`, file_id: file.id };
}

function uploaded({ args, workspace }: Call): StoredFile[] {
  const entries = objectsOf(args.json('files'));
  if (entries.length === 0) throw invalidArguments('[ERROR] missing required field: files');
  return entries.map((entry) => {
    const file = workspace.files.find(asText(entry['id']) ?? '');
    if (!file?.bytes || file.complete) throw new ApiFailure('file_not_found');
    file.title = asText(entry['title']) ?? file.title;
    return file;
  });
}

/** Slack answers ok and shares nothing: https://github.com/slackapi/python-slack-sdk/issues/1818 */
const isLost = ({ name, altText }: StoredFile): boolean =>
  altText !== undefined && !mimeType(name).startsWith('image/');

function completeUpload(call: Call): Json {
  const { args, workspace } = call;
  const files = uploaded(call);
  const channelId = args.text('channel_id') ?? args.text('channels');
  if (channelId) {
    const channel = postableChannel(call, channelId);
    const threadTs = args.text('thread_ts');
    if (threadTs && !workspace.messages.find(channel.id, threadTs)) {
      throw new ApiFailure('thread_not_found');
    }
    const blocks = args.has('blocks') ? checkedBlocks(args.json('blocks'), workspace) : [];
    const shared = files.filter((file) => !isLost(file));
    for (const file of shared) file.channels = [channel.id];
    if (shared.length > 0)
      workspace.messages.post({
        channel: channel.id,
        user: BOT_USER,
        byApp: true,
        text: args.text('initial_comment') ?? '',
        blocks,
        metadata: undefined,
        threadTs,
        files: shared,
      });
  }
  for (const file of files) file.complete = true;
  return { files: files.map((file) => fileObject(file, workspace.baseUrl())) };
}

function info({ args, workspace }: Call): Json {
  const file = workspace.files.find(args.required('file'));
  if (!file?.complete) throw new ApiFailure('file_not_found');
  return { file: fileObject(file, workspace.baseUrl()), comments: [] };
}

export const fileMethods: Methods = {
  'files.getUploadURLExternal': { token: 'bot', scope: 'files:write', run: getUploadUrl },
  'files.completeUploadExternal': { token: 'bot', scope: 'files:write', run: completeUpload },
  'files.info': { token: 'bot', scope: 'files:read', run: info },
};
